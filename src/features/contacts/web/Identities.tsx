import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone, isHiddenNumber } from '#domain/phone/shown.ts'
import type { Answer } from '#kit/contract.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDate, formatDateTime } from '#web/format.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { channelLook } from '#web/ui/identity/channels.ts'
import { contacts } from '../addresses.ts'
import type { ContactDetail, ContactIdentity } from '../contract.ts'
import { MergeDialog } from './MergeDialog.tsx'
import css from './merging.module.css'
import { undoMerge } from './undo-merge.ts'

const PROOFS = {
  provider: t('confirmado pelo canal'),
  person: t('informado por alguém'),
  none: t('ainda sem resposta'),
}
const REASONS = { person: '', number: t('pelo número'), provider: t('pelo canal') }

const addressOf = ({ address }: ContactIdentity): string =>
  isHiddenNumber(address)
    ? t('Número oculto ({address})', { address })
    : /^[0-9a-f-]{36}$/.test(address)
      ? t('Visitante do site')
      : formatPhone(address) || address

/** Channel addresses of a contact, and the merges that added them; each merge can be undone. */
export function Identities({
  contact,
  onOpen,
}: {
  contact: Pick<ContactDetail, 'id' | 'name'>
  onOpen: (id: number) => void
}) {
  const params = { id: contact.id }
  const known = useQuery(query(contacts.identities, { params }))
  const merges = useQuery(query(contacts.merges, { params, query: {} }))
  const mayMerge = useMay()('contacts:merge')
  const [merging, setMerging] = useState(false)
  if (known.isPending || merges.isPending) return <SkeletonRows kind="table" />
  const failed = known.error ?? merges.error
  if (!known.data || !merges.data)
    return <LoadError text={sentence(failed)} retry={() => void Promise.all([known.refetch(), merges.refetch()])} />
  return (
    <div className={css.form}>
      <Addresses contactId={contact.id} identities={known.data.identities} />
      <Merges merges={merges.data.merges} onMerge={mayMerge ? () => setMerging(true) : null} />
      {merging && (
        <MergeDialog
          {...contact}
          onDone={(id) => {
            setMerging(false)
            onOpen(id)
          }}
          onClose={() => setMerging(false)}
        />
      )}
    </div>
  )
}

function Merges({
  merges,
  onMerge,
}: {
  merges: Answer<typeof contacts.merges>['merges']
  onMerge: (() => void) | null
}) {
  return (
    <section className={css.group} aria-label={t('Contatos unidos')}>
      <h3>{t('Contatos unidos')}</h3>
      {merges.length === 0 && (
        <p className={css.lead}>
          {t('Este contato nunca foi mesclado.')}{' '}
          {onMerge && t('Se a pessoa escreve também de outro número ou canal, junte os dois.')}
        </p>
      )}
      <ul className={css.rows}>
        {merges.map((one) => (
          <li key={one.id}>
            <span>
              <b className="g-cut">{t('{other} em {contact}', { other: one.other.name, contact: one.contact.name })}</b>
              <small>
                {[
                  formatDateTime(one.createdAt),
                  one.userName ?? t('automática, {reason}', { reason: REASONS[one.proof] }),
                  one.undoneAt &&
                    t('desfeita em {at} por {name}', {
                      at: formatDateTime(one.undoneAt),
                      name: one.undoneByName ?? '—',
                    }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            {onMerge && !one.undoneAt && (
              <Button variant="default" size="compact-sm" onClick={() => void undoMerge(one.id)}>
                {t('Desfazer')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {onMerge && (
        <Button variant="default" className={css.start} onClick={onMerge}>
          {t('Mesclar com outro contato…')}
        </Button>
      )}
    </section>
  )
}

function Addresses({ contactId, identities }: { contactId: number; identities: readonly ContactIdentity[] }) {
  return (
    <section className={css.group} aria-label={t('Endereços')}>
      <h3>{t('Endereços')}</h3>
      {identities.length === 0 && <p className={css.lead}>{t('Nenhum canal conhece este contato ainda.')}</p>}
      <ul className={css.rows}>
        {identities.map((one) => (
          <li key={`${one.channel} ${one.address}`}>
            <span>
              <b className="g-cut">{addressOf(one)}</b>
              <small>
                {[
                  one.channel === 'phone' ? t('Telefone do cadastro') : channelLook(one.channel).name,
                  PROOFS[one.proof],
                  t('desde {since}', { since: formatDate(one.since) }),
                  one.lastUsedAt && t('última mensagem em {at}', { at: formatDateTime(one.lastUsedAt) }),
                  one.blocksUsSince && t('bloqueou o bot em {at}', { at: formatDateTime(one.blocksUsSince) }),
                  one.contactId !== contactId && t('era de {contactName}', { contactName: one.contactName }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
