import type { Ctx } from '#server/context.ts'
import { contactBook } from '../contact-book.ts'
import { renameConversation } from './identity-queries.ts'
import type { TakenEntry } from './journal-queries.ts'

/**
 * Lets contacts be known by the numbers that their channel has learned, in the middle of a conversation too. A number that
 * is another contact's already leaves both as they are: people decide whether they are one.
 */
export async function applyIdentities(ctx: Ctx, entries: readonly TakenEntry[]): Promise<void> {
  for (const { payload, connection_id: connectionId, type: channel, is_removed } of entries) {
    if (payload.type !== 'identity' || is_removed) continue
    const { conversationKey: identity, number } = payload
    const sender = { channel, identity, name: '', number: null, email: '' }
    const contact = (await contactBook().find(ctx.db, [sender])).get(`${channel}|${identity}`)
    if (!contact || !(await contactBook().learnNumber(ctx, contact.id, { channel, number }))) continue
    await renameConversation(ctx.db, { connectionId, from: identity, to: number })
  }
}
