import { tickets } from '#features/ledger/addresses.ts'
import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { openingProblem } from '#web/opening-problem.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { explain, take } from './actions.ts'

/** Opens the contact's ticket on a connection: the existing one, else a new one. */
export async function startWith(contactId: number, whatsappId: number, open: (id: number) => void): Promise<void> {
  try {
    const { ticket } = await call(tickets.begin, { body: { contactId, whatsappId } }, { quiet: true })
    take(ticket)
    open(ticket.id)
  } catch (error) {
    if (isApiError(error) && error.code === 'ERR_OTHER_OPEN_TICKET') await explain(error, open)
    else notify({ tone: 'warn', title: openingProblem(error) })
  }
}
