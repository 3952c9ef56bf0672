import { messages } from '#features/messages/addresses.ts'
import { call } from '#web/client.ts'
import { change, explain, taking } from '../actions/actions.ts'

/** Transfers a ticket to a queue and optionally a person; a text is stored as a note with it. */
export async function transfer(
  id: number,
  to: { queueId: number | null; userId: number | null },
  note: { body: string; idFront: string },
): Promise<boolean> {
  const text = note.body.trim()
  if (text === '') return change(id, { isTransference: true, ...to })
  const body = { ...to, note: text, idFront: note.idFront }
  try {
    await taking(id, () => call(messages.transfer, { params: { id }, body }, { quiet: true }))
    return true
  } catch (error) {
    await explain(error)
    return false
  }
}
