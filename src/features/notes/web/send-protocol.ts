import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { adoptSent } from '#features/messages/web/cache/thread-cache.ts'
import { notifyError, uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { ticketProtocols } from '../addresses.ts'

/** “Enviar protocolo”: sends the ticket's protocol number to the customer, after confirmation. */
export async function sendProtocol({ id: ticketId, name, protocol }: TicketDetail): Promise<void> {
  const sure = await confirm({
    title: t('Enviar o protocolo a {name}?', { name }),
    text: t('O cliente recebe: Protocolo de atendimento: {protocol}', { protocol }),
    action: t('Enviar protocolo'),
    tone: 'brand',
  })
  if (!sure) return
  try {
    const { messages } = await call(ticketProtocols.send, { body: { ticketId, idFront: uuid() } }, { quiet: true })
    adoptSent(ticketId, messages)
  } catch (error) {
    notifyError(error)
  }
}
