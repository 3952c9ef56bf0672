import { type SqlBool, sql } from 'kysely'
import type { Tx } from '#server/db/db.ts'
import { tableOf } from '#server/table.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'

/** A quick reply as it is stored, with whose it is. */
export type FastReplyRow = Omit<FastReply, 'mayChange'> & { userId: number | null }

/** The quick replies. */
export const fastReplyTable = tableOf<FastReplyRow>(fastReplies.spec, [sql`user_id as "userId"`])

/** The shared ones, and the user's own. */
export const seenBy = (userId: number) => sql<SqlBool>`(is_public or user_id = ${userId})`

/** Own quick replies go with who leaves; shared ones stay, as nobody's. */
export async function forgetReplies(db: Tx, { id }: { readonly id: number }): Promise<void> {
  await db.deleteFrom('fast_replies').where('user_id', '=', id).where('is_public', '=', false).execute()
  await db.updateTable('fast_replies').set({ user_id: null }).where('user_id', '=', id).execute()
}
