import type { Ctx } from '#server/context.ts'
import type { TakenEntry } from '../journal/journal-queries.ts'
import { contactBook } from '../ports/contact-book.ts'
import { moveConversation } from '../ticket/queries.ts'

/** Applies a batch's address events before its messages: changed group addresses, blocks, unblocks, pictures. */
export async function applyAddressNews(ctx: Ctx, entries: readonly TakenEntry[]): Promise<void> {
  const changed: { channel: string; identity: string }[] = []
  for (const { payload, type: channel, connection_id: connectionId, is_removed } of entries) {
    if (is_removed) continue
    const { conversationKey: identity } = payload
    if (payload.type === 'picture') changed.push({ channel, identity })
    if (payload.type === 'blocking') {
      const { blocksUs, timestamp } = payload
      await contactBook().blocking(ctx, { channel, identity, blocksUs, at: new Date(timestamp) })
    }
    if (payload.type === 'moved') {
      await contactBook().moved(ctx, { channel, identity, to: payload.to })
      await moveConversation(ctx.db, { connectionId, from: identity, to: payload.to })
    }
  }
  // The contact book fetches the new pictures.
  if (changed.length > 0) await contactBook().looksOtherwise(ctx, changed)
}
