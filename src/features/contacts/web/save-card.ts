import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { contacts } from '../addresses.ts'

/** Saves a contact card as a contact, unless its number already has one; returns that contact's id. */
export async function saveCard(card: { name: string; number: string }): Promise<{ id: number; isNew: boolean }> {
  try {
    const { id } = await call(contacts.create, { body: card }, { quiet: true })
    return { id, isNew: true }
  } catch (error) {
    const known = isApiError(error) && (error.details['contact'] as { id: number } | undefined)
    if (!known) throw error
    return { id: known.id, isNew: false }
  }
}
