import type { MessageRow } from '#features/ledger/message-rows.ts'
import { viewer } from '#web/session/session.ts'

/** Time after a colleague's reply within which one's own is a second reply, perhaps written before the first was seen. */
const secondMs = 15_000
const answers = new Map<number, { message: MessageRow; until: number }>()

/** Records a message of the team that was just sent, timed by this browser's clock. */
export function noteAnswer(message: MessageRow): void {
  const { ticketId, fromMe, isNote, userId } = message
  if (!fromMe || isNote || userId === null) return
  if (userId === viewer().userId) answers.delete(ticketId)
  else answers.set(ticketId, { message, until: Date.now() + secondMs })
}

/** Takes a colleague's recent reply, unless one has replied since or was already asked about it. */
export function takeRecentAnswer(ticketId: number): MessageRow | undefined {
  const found = answers.get(ticketId)
  answers.delete(ticketId)
  return found && found.until > Date.now() ? found.message : undefined
}
