import { ingestIdle } from '#features/ledger/server/ingest/ingest.ts'
import { receive } from '#features/ledger/server/ingest/journal.ts'
import { textEvent } from './peers/channel.ts'
import type { Product } from './product.ts'

/**
 * Helpers for customers of one connection, identified by phone number: their messages, newest ticket, and received texts.
 */
export const conversations = (
  product: () => Product,
  where: () => { readonly tenantId: number; readonly connectionId: number },
) => ({
  /** Sends each text as a separate message of the contact. */
  write: async (from: string, ...bodies: string[]): Promise<void> => {
    for (const body of bodies) {
      await receive(product().platform, where(), [textEvent({ from, body })])
      await ingestIdle(product().platform)
    }
  },
  ticketOf: (from: string) =>
    product().platform.db.read(where().tenantId, (db) =>
      db
        .selectFrom('tickets')
        .selectAll()
        .where('conversation_key', '=', from)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    ),
  /** The texts in their order, without notes. */
  saidTo: async (from: string): Promise<string[]> => {
    const rows = await product().platform.db.read(where().tenantId, (db) =>
      db
        .selectFrom('messages')
        .select('body')
        .where('conversation_key', '=', from)
        .where('from_me', '=', true)
        .where('is_note', '=', false)
        .orderBy('timestamp')
        .orderBy('seq')
        .execute(),
    )
    return rows.map(({ body }) => body)
  },
})
