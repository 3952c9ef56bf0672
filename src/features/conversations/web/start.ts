import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { openingProblem } from '#web/opening-problem.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { tickets } from '../addresses.ts'
import { explain, take } from './actions.ts'

/** Starts a conversation; the id of the ticket, or null when it was refused, or nobody may write freely (`onClosed`). */
export async function start(
  contactId: number,
  whatsappId: number,
  open: (id: number) => void,
  onClosed?: () => void,
): Promise<number | null> {
  try {
    const found = await call(tickets.create, { body: { contactId, whatsappId } }, { quiet: true })
    take(found)
    return found.id
  } catch (error) {
    const code = isApiError(error) ? error.code : ''
    if (code === 'ERR_OTHER_OPEN_TICKET') await explain(error, open)
    else if (code === 'ERR_WINDOW_CLOSED' && onClosed) onClosed()
    else notify({ tone: 'warn', title: openingProblem(error) })
    return null
  }
}

/** The same, and shows it. */
export async function startWith(contactId: number, whatsappId: number, open: (id: number) => void): Promise<void> {
  const id = await start(contactId, whatsappId, open)
  if (id !== null) open(id)
}
