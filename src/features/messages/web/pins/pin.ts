import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { notifyError } from '#web/api.ts'
import { call, queryClient } from '#web/client.ts'
import { messages } from '../../addresses.ts'
import { refreshLogs, ticketKey } from '../ticket/ticket.ts'

type Pinnable = Pick<MessageRow, 'id' | 'ticketId'>

/** Checks in this tab's cache that a message is pinned. */
export const isPinned = ({ id, ticketId }: Pinnable): boolean =>
  queryClient.getQueryData<TicketDetail>(ticketKey(ticketId))?.pinned.some((one) => one.id === id) ?? false

/** Pins or unpins a message; shown once the server has confirmed it. */
export async function setPinned({ id, ticketId }: Pinnable, on: boolean): Promise<void> {
  try {
    const { pinned } = await call(on ? messages.pin : messages.unpin, { params: { id } }, { quiet: true })
    queryClient.setQueryData<TicketDetail>(ticketKey(ticketId), (known) => known && { ...known, pinned })
    refreshLogs(ticketId)
  } catch (error) {
    notifyError(error)
  }
}
