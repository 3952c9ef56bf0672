import { call } from '#web/client.ts'
import { tickets } from '../addresses.ts'
import { explain, take } from './actions.ts'

/** Starts a conversation; the id of the ticket, or null when it was refused. */
export async function start(contactId: number, whatsappId: number, open: (id: number) => void): Promise<number | null> {
  try {
    const found = await call(tickets.create, { body: { contactId, whatsappId } }, { quiet: true })
    take(found)
    return found.id
  } catch (error) {
    await explain(error, open)
    return null
  }
}

/** The same, and shows it. */
export async function startWith(contactId: number, whatsappId: number, open: (id: number) => void): Promise<void> {
  const id = await start(contactId, whatsappId, open)
  if (id !== null) open(id)
}
