import { Select, TextInput } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { isApiError } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { OwnFields } from '#web/fields/own-fields.tsx'
import { formatDate } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useRow } from '#web/resource/use-row.ts'
import { plural, t } from '#web/t.ts'
import { confirmDiscard } from '#web/ui/feedback/confirm.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Tag } from '#web/ui/identity/badges.tsx'
import { MaskedInput, Notice, Pair, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { documentMask } from '#web/ui/inputs/mask.ts'
import { PhoneInput } from '#web/ui/inputs/PhoneInput.tsx'
import { isPhone } from '#web/ui/inputs/phone-rule.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { SectionTabs } from '#web/ui/layout/section-tabs.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { contacts } from '../addresses.ts'
import css from './contacts.module.css'
import { ExtraFields } from './ExtraFields.tsx'
import { bodyOf, checker, emptyValues, valuesOf } from './form-values.ts'

const Identities = lazyPart(async () => (await import('./Identities.tsx')).Identities)

type Section = 'data' | 'extra' | 'person'
type Other = { id: number; name: string }

const ADDRESSES = [
  ['lid', t('LID WhatsApp')],
  ['telegramId', t('ID Telegram')],
  ['messengerId', t('ID Messenger')],
  ['instagramPK', t('ID Instagram')],
  ['hubWhatsapp', t('ID WhatsApp Hub')],
] as const

// Fields of the “Campos” section.
const EXTRA: ReadonlySet<string> = new Set(['extraInfo', 'fields', ...ADDRESSES.map(([key]) => key)])

/** Drawer of one contact: `id` of the row, or 'novo'. */
export function ContactForm(props: { id: string; onOpen: (id: number) => void; onClose: () => void }) {
  const { id, onOpen, onClose } = props
  const isNew = id === 'novo'
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  const stages = useChoices('stages')
  const ownFields = useChoices('contactFields')
  const row = useRow(contacts.get, id)
  const contact = row.data
  const known = useMemo(() => contact && valuesOf(contact), [contact])
  // Validates only numbers that a person enters, not those of a channel.
  const stored = useRef('')
  useEffect(() => {
    stored.current = known?.number ?? ''
  }, [known])
  const [section, setSection] = useState<Section>('data')
  const [other, setOther] = useState<Other | null>(null)
  const { values, errors, changed, set, leave, drawer, save } = useDrawerForm(emptyValues, {
    stored: isNew ? null : known,
    reading: row,
    checker,
    rules: { number: [(number) => number === stored.current || isPhone(number)] },
    unique: ['number'],
    onWrong: (fields) => setSection(fields.every((field) => EXTRA.has(field)) ? 'extra' : 'data'),
    onClose,
  })
  const send = async () => {
    setOther(null)
    try {
      const body = bodyOf(values, isNew ? undefined : changed, known?.fields)
      if (isNew) await call(contacts.create, { body: { ...body, name: values.name } }, { quiet: true })
      else await call(contacts.update, { params: { id: Number(id) }, body }, { quiet: true })
    } catch (error) {
      const details = isApiError(error) ? error.details : {}
      // Errors of addresses appear at their fields.
      if (!ADDRESSES.some(([key]) => key in details)) setOther((details['contact'] as Other | undefined) ?? null)
      throw error
    }
    return isNew ? t('Contato cadastrado') : t('Contato salvo')
  }

  const openOther = async ({ id: otherId, name }: Other) => {
    const leave = await confirmDiscard({
      title: t('Abrir {name}?', { name }),
      text: t('O que você escreveu aqui ainda não foi salvo.'),
      action: t('Descartar e abrir'),
    })
    if (leave) onOpen(otherId)
  }

  const input = (key: 'name' | 'email' | 'firstName' | 'lastName' | 'businessName', label: string) => ({
    label,
    value: values[key],
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, event.currentTarget.value),
  })
  const about = contact && [
    formatPhone(contact.number),
    t('cliente desde {createdAt}', { createdAt: formatDate(contact.createdAt) }),
  ]
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo contato') : (contact?.name ?? t('Contato'))}
      sub={about?.filter(Boolean).join(' · ')}
      avatar={
        contact && (
          <Avatar
            id={contact.id}
            name={contact.name}
            src={contact.profilePicUrl}
            size={44}
            channel={contact.channels[0] ?? null}
          />
        )
      }
      tabs={
        <SectionTabs
          sections={[
            { key: 'data', name: t('Dados') },
            {
              key: 'extra',
              name: <ExtraName count={values.extraInfo.length + Object.keys(known?.fields ?? {}).length} />,
            },
            ...(contact && !contact.isGroup ? [{ key: 'person' as const, name: t('Identidades') }] : []),
          ]}
          open={section}
          onOpen={setSection}
        />
      }
      size={520}
    >
      {section === 'data' && (
        <>
          <Pair>
            <TextInput {...input('name', t('Nome'))} required data-autofocus maxLength={120} />
            <PhoneInput
              label={t('Número')}
              placeholder="(19) 99812-4407"
              description={t('Com DDD; de outro país, escolha-o ao lado ou comece com +.')}
              value={values.number}
              error={errors.number}
              onChange={(number) => set('number', number)}
              onBlur={() => leave('number')}
            />
          </Pair>
          {other && (
            <Notice
              tone="warn"
              action={
                <button type="button" className={css.way} onClick={() => void openOther(other)}>
                  {t('Abrir contato')}
                </button>
              }
            >
              {t('Este número já é de {name}.', { name: other.name })}
            </Notice>
          )}
          <Pair>
            <TextInput {...input('firstName', t('Primeiro nome'))} maxLength={80} />
            <TextInput {...input('lastName', t('Sobrenome'))} maxLength={80} />
          </Pair>
          <Pair>
            <TextInput {...input('email', 'E-mail')} type="email" maxLength={254} />
            <MaskedInput
              label="CPF/CNPJ"
              mask={documentMask}
              value={values.cpf}
              error={errors.cpf}
              onChange={(cpf) => set('cpf', cpf)}
            />
          </Pair>
          <Pair>
            <MaskedInput
              label={t('Data de aniversário')}
              mask="data"
              fill
              placeholder={t('DD/MM/AAAA')}
              value={values.birthdayDate}
              error={errors.birthdayDate}
              onChange={(day) => set('birthdayDate', day)}
            />
            <TextInput {...input('businessName', t('Empresa'))} maxLength={120} />
          </Pair>
          <ManyChoice
            label={t('Etiquetas')}
            none={t('Nenhuma etiqueta com esse nome')}
            options={tags}
            chosen={values.tags}
            onChange={(ids) => set('tags', ids)}
            renderPill={({ option, value, onRemove }) => (
              <Tag
                name={option?.label ?? String(value)}
                color={tags.find((one) => String(one.id) === value)?.color ?? '#5C5462'}
                {...(onRemove ? { onRemove } : {})}
              />
            )}
          />
          <ManyChoice
            label={t('Carteira')}
            hint={t('Quem cuida deste cliente.')}
            none={t('Ninguém com esse nome')}
            options={colleagues}
            chosen={values.wallets}
            onChange={(ids) => set('wallets', ids)}
          />
          {stages.length > 0 && (
            <Select
              label={t('Etapa do kanban')}
              placeholder={t('Sem etapa')}
              clearable
              searchable
              data={stages.map((one) => ({ value: String(one.id), label: one.name }))}
              value={values.kanban === null ? null : String(values.kanban)}
              error={errors.kanban}
              onChange={(kanban) => set('kanban', kanban === null ? null : Number(kanban))}
            />
          )}
          <SwitchGroup>
            <SwitchRow
              name={t('Bloquear contato')}
              effect={t('As mensagens dele deixam de chegar.')}
              checked={values.blocked}
              onChange={(blocked) => set('blocked', blocked)}
            />
            <SwitchRow
              name={t('Bloquear chatbot')}
              effect={t('Nenhum fluxo responde a ele: quem escreve espera por uma pessoa.')}
              checked={values.chatbotBlocked}
              onChange={(chatbotBlocked) => set('chatbotBlocked', chatbotBlocked)}
            />
          </SwitchGroup>
          {values.groupUserIdArray && (
            <ManyChoice
              label={t('Usuários do grupo')}
              hint={t('Quem vê as conversas deste grupo.')}
              none={t('Ninguém com esse nome')}
              options={colleagues}
              chosen={values.groupUserIdArray}
              onChange={(ids) => set('groupUserIdArray', ids)}
              error={errors.groupUserIdArray}
            />
          )}
          {contact && contact.ticketCount > 0 && (
            <p className={css.hint}>
              {t('{count} na história deste contato.', {
                count: plural(contact.ticketCount, 'atendimento', 'atendimentos'),
              })}
            </p>
          )}
        </>
      )}
      {section === 'person' && contact && <Identities contact={contact} onOpen={onOpen} />}
      {section === 'extra' && (
        <>
          <OwnFields
            fields={ownFields}
            values={values.fields}
            error={errors.fields}
            onChange={(fields) => set('fields', fields)}
          />
          <ExtraFields
            value={values.extraInfo}
            refused={errors.extraInfo !== undefined}
            onChange={(extraInfo) => set('extraInfo', extraInfo)}
          />
          <h3 className={css.sub}>{t('Identidades nos canais')}</h3>
          {ADDRESSES.map(([key, label]) => (
            <TextInput
              key={key}
              label={label}
              maxLength={120}
              value={values[key]}
              error={errors[key]}
              onChange={(event) => set(key, event.currentTarget.value)}
            />
          ))}
        </>
      )}
    </FormDrawer>
  )
}

function ExtraName({ count }: { count: number }) {
  return (
    <>
      {t('Campos')} {count > 0 && <span className={css.share}>{count}</span>}
    </>
  )
}
