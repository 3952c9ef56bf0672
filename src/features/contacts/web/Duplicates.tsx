import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { formatPhone } from '#domain/phone/shown.ts'
import { contactEvents } from '#features/ledger/event-addresses.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { contacts } from '../addresses.ts'
import type { ContactRow, PossibleDuplicate } from '../contract.ts'
import { MergeDialog } from './MergeDialog.tsx'
import css from './merging.module.css'

const REASONS: Readonly<Record<PossibleDuplicate['reason'], string>> = {
  line: t('Mesmo número, com ou sem o nono dígito'),
  document: t('Mesmo CPF ou CNPJ'),
  email: t('Mesmo e-mail'),
  name: t('Mesmo nome e aniversário'),
}
const PAGE = 40
const EVENTS = [contactEvents.update, contactEvents.delete] as const

/** Dialog of contacts that may be one person, with the reason: merge them, or mark them as different. */
export function Duplicates({ onClose }: { onClose: () => void }) {
  const list = useList(contacts.duplicates, (page) => page.duplicates, {}, EVENTS)
  const [merging, setMerging] = useState<PossibleDuplicate | null>(null)
  const distinct = ({ contact, other }: PossibleDuplicate) =>
    attempt(
      () => call(contacts.setDistinct, { body: { contactId: contact.id, otherId: other.id } }, { quiet: true }),
      t('Anotado: são duas pessoas'),
    )
  return (
    <Modal opened onClose={onClose} size={680} title={t('Possíveis duplicados')}>
      <div className={css.form}>
        {list.state === 'pending' && <SkeletonRows kind="table" />}
        {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
        {list.state === 'success' && list.rows.length === 0 && (
          <EmptyState
            title={t('Nenhum contato repetido')}
            text={t(
              'Quando dois contatos tiverem o mesmo número, documento, e-mail, ou nome e aniversário, eles aparecem aqui.',
            )}
          />
        )}
        <ul className={css.rows}>
          {list.rows.map((one) => (
            <li key={`${one.reason} ${one.contact.id} ${one.other.id}`} className={css.duplicate}>
              <small data-weak={!one.isStrong || undefined}>
                {one.isStrong ? REASONS[one.reason] : t('{reason} (indício fraco)', { reason: REASONS[one.reason] })}
              </small>
              <div className={css.pair}>
                <Party contact={one.contact} />
                <Party contact={one.other} />
              </div>
              <div className={css.footer}>
                <Button variant="default" size="compact-sm" onClick={() => void distinct(one)}>
                  {t('Não são a mesma pessoa')}
                </Button>
                <Button size="compact-sm" onClick={() => setMerging(one)}>
                  {t('Comparar e mesclar')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
        {list.rows.length > 0 && list.rows.length % PAGE === 0 && (
          <Button variant="default" onClick={() => list.onEnd()}>
            {t('Mostrar mais')}
          </Button>
        )}
      </div>
      {merging && (
        <MergeDialog
          id={merging.contact.id}
          name={merging.contact.name}
          otherId={merging.other.id}
          onDone={() => setMerging(null)}
          onClose={() => setMerging(null)}
        />
      )}
    </Modal>
  )
}

function Party({ contact }: { contact: ContactRow }) {
  return (
    <NameCell
      picture={<Avatar id={contact.id} name={contact.name} src={contact.profilePicUrl} size={36} />}
      name={contact.name}
      detail={formatPhone(contact.number) || contact.email || t('Sem número')}
    />
  )
}
