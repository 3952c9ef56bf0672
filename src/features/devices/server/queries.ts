import { sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

/** Returns a page of a user's active sessions, last used first; `after` is the last (use, id) of the previous page. */
export async function listSessions(
  db: Queryable,
  input: { userId: number; now: Date; after: [string, string] | null; limit: number },
) {
  const { userId, now, after, limit } = input
  let query = db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'ip', 'method', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
  if (after)
    query = query.where(sql<boolean>`(date_trunc('milliseconds', last_used_at), id) < (${after[0]}, ${after[1]})`)
  return query
    .orderBy(sql`date_trunc('milliseconds', last_used_at)`, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
