import { useEffect } from 'react'
import { formatPhone, isHiddenNumber } from '#domain/phone/shown.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { t } from '#web/t.ts'
import { refreshContact } from '../ticket/ticket.ts'
import css from './writes-to.module.css'

/** Shows to which of a contact's addresses a reply goes, and why. */
export function WritesTo({ ticket }: { ticket: Pick<TicketDetail, 'contactId' | 'lastMessageAt' | 'writesTo'> }) {
  const { contactId, lastMessageAt, writesTo } = ticket
  // A message from another address moves the replies there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message
  useEffect(() => refreshContact(contactId), [contactId, lastMessageAt])
  const address = isHiddenNumber(writesTo.address)
    ? t('número oculto')
    : formatPhone(writesTo.address) || writesTo.address
  return (
    <p className={css.address}>
      {t('A resposta vai para {address}, de onde a pessoa escreveu por último.', { address })}
    </p>
  )
}
