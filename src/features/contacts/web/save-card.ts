import { isApiError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { contacts } from '../addresses.ts'

/** Keeps a card as a contact, unless its number is a contact's already; answers whose. */
export async function saveCard(card: { name: string; number: string }): Promise<{ id: number; isNew: boolean }> {
  try {
    const { id } = await call(contacts.byNumber, { params: { number: card.number } }, { quiet: true })
    return { id, isNew: false }
  } catch (error) {
    if (!isApiError(error) || error.code !== 'ERR_NO_CONTACT_FOUND') throw error
    const { id } = await call(contacts.create, { body: card }, { quiet: true })
    return { id, isNew: true }
  }
}
