import { Suspense } from 'react'
import { formatDocument } from '#domain/documents/documents.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { firstOf } from '#domain/present.ts'
import { loadStageOf } from '#features/tickets/web/index.ts'
import { fieldOf } from '#kit/own-fields.ts'
import type { Choices } from '#web/choices.ts'
import { FieldCell } from '#web/fields/field.tsx'
import { formatDate } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill, Tag } from '#web/ui/identity/badges.tsx'
import { shownOf } from '#web/ui/inputs/mask.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import type { ContactRow } from '../contract.ts'
import css from './contacts.module.css'

const StageOf = lazyPart(loadStageOf)

const text = (value: string) =>
  value === '' ? null : (
    <span className={`g-cut ${css.plain}`} title={value}>
      {value}
    </span>
  )

/** Columns of the list; all but the first can be hidden. */
export const contactColumns: readonly (Column<ContactRow> & { initial?: boolean })[] = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row) => (
      <NameCell
        picture={
          <Avatar id={row.id} name={row.name} src={row.profilePicUrl} size={34} channel={row.channels[0] ?? null} />
        }
        name={row.name}
        detail={row.businessName !== row.name && row.businessName}
      >
        {row.blocked && <Pill tone="neg">{t('Bloqueado')}</Pill>}
      </NameCell>
    ),
  },
  {
    key: 'number',
    title: 'WhatsApp',
    initial: true,
    cell: (row) =>
      row.number && (
        <span className={css.number}>
          {formatPhone(row.number)}
          {row.isWAContact === false && <Pill tone="warn">{t('Não alcançado')}</Pill>}
        </span>
      ),
  },
  {
    key: 'tags',
    title: t('Etiquetas'),
    initial: true,
    cell: ({ tags }) =>
      tags.length === 0 ? null : (
        <span className={css.tags} title={tags.map((one) => one.tag).join(', ')}>
          {tags.slice(0, 2).map((one) => (
            <Tag key={one.id} name={one.tag} color={one.color} />
          ))}
          {tags.length > 2 && <small>+{tags.length - 2}</small>}
        </span>
      ),
  },
  {
    key: 'wallets',
    title: t('Carteira'),
    initial: true,
    cell: ({ wallets }) =>
      wallets.length === 0 ? null : (
        <span className={css.owner} title={wallets.map((one) => one.name).join(', ')}>
          <Avatar id={firstOf(wallets).id} name={firstOf(wallets).name} size={22} />
          <span className="g-cut">{firstOf(wallets).name.split(' ')[0]}</span>
          {wallets.length > 1 && <small>+{wallets.length - 1}</small>}
        </span>
      ),
  },
  {
    key: 'kanban',
    title: t('Kanban'),
    cell: (row) =>
      row.kanban !== null && (
        <Suspense>
          <StageOf id={row.kanban} />
        </Suspense>
      ),
  },
  { key: 'email', title: t('E-mail'), initial: true, cell: (row) => text(row.email) },
  {
    key: 'birthday',
    title: t('Aniversário'),
    initial: true,
    cell: (row) => row.birthdayDate && <span className="g-num">{shownOf('data', row.birthdayDate).slice(0, 5)}</span>,
  },
  {
    key: 'cpf',
    title: 'CPF/CNPJ',
    cell: (row) => row.cpf && <span className="g-num">{formatDocument(row.cpf)}</span>,
  },
  { key: 'business', title: t('Empresa'), cell: (row) => text(row.businessName) },
  { key: 'first', title: t('Primeiro nome'), cell: (row) => text(row.firstName) },
  { key: 'last', title: t('Sobrenome'), cell: (row) => text(row.lastName) },
  { key: 'lid', title: t('LID WhatsApp'), cell: (row) => text(row.lid) },
  { key: 'telegramId', title: 'Telegram', cell: (row) => text(row.telegramId) },
  { key: 'messenger', title: 'Messenger', cell: (row) => text(row.messengerId) },
  { key: 'instagram', title: 'Instagram', cell: (row) => text(row.instagramPK) },
  { key: 'hubWhatsapp', title: t('Waba (Hub)'), cell: (row) => text(row.hubWhatsapp) },
  { key: 'pushname', title: t('Nome no canal'), cell: (row) => text(row.pushname) },
  { key: 'blocked', title: t('Contato bloqueado'), cell: (row) => row.blocked && t('Sim') },
  { key: 'bot', title: t('Chatbot bloqueado'), cell: (row) => row.chatbotBlocked && t('Sim') },
  {
    key: 'since',
    title: t('Cliente desde'),
    cell: (row) => <span className="g-num">{formatDate(row.createdAt)}</span>,
  },
]

/** Returns the columns of custom fields that the list shows. */
export const ownColumns = (
  fields: readonly Choices['contactFields'][],
): (Column<ContactRow> & { initial?: boolean })[] =>
  fields
    .filter(({ inList }) => inList)
    .map((one) => ({
      key: `field${one.id}`,
      title: one.name,
      initial: true,
      numeric: one.type === 'number',
      cell: (row) => {
        const value = row.fields[one.id] ?? ''
        return value !== '' && <FieldCell field={fieldOf(one)} value={value} />
      },
    }))
