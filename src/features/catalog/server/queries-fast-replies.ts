import { type SqlBool, sql } from 'kysely'
import { tableOf } from '#server/table.ts'
import { type FastReply, fastReplies } from '../fast-replies.ts'

/** A quick reply as it is stored, with whose it is. */
export type FastReplyRow = Omit<FastReply, 'mayChange'> & { userId: number | null }

/** The quick replies. */
export const fastReplyTable = tableOf<FastReplyRow>(fastReplies.spec, [sql`user_id as "userId"`])

/** The shared ones, and the user's own. */
export const seenBy = (userId: number) => sql<SqlBool>`(is_public or user_id = ${userId})`
