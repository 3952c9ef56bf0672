import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

type Condition = RawBuilder<SqlBool>

/** Live tickets of one status, queue and owner: conversations, those that wait, and the one that waits longest. */
export type LiveGroup = {
  status: 'open' | 'pending'
  queue_id: number | null
  user_id: number | null
  conversations: number
  waiting: number
  longest_since: Date | null
  longest_id: number | null
}

/** Open and pending tickets that the condition on `tickets` lets through, counted in groups in one pass. */
export async function liveGroups(db: Queryable, visible: Condition): Promise<LiveGroup[]> {
  const { rows } = await sql<LiveGroup>`
    select status, queue_id, user_id, count(*) filter (where not is_group) as conversations,
      count(waiting_since) as waiting, min(waiting_since) as longest_since,
      (array_agg(id order by waiting_since) filter (where waiting_since is not null))[1] as longest_id
    from tickets where status in ('open', 'pending') and ${visible}
    group by status, queue_id, user_id`.execute(db)
  return rows
}

/** Tickets closed since a moment; whoever closes one touches `updated_at`, which the index knows. */
export async function countClosed(db: Queryable, visible: Condition, since: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from tickets
    where updated_at >= ${since} and status = 'closed' and closed_at >= ${since} and ${visible}`.execute(db)
  return rows[0]!.n
}

/**
 * Messages since a moment, notes aside: received, and sent as far as the channel has taken them. A message's id begins
 * with the time of its row, so the key's own index finds them; null sees those of every ticket.
 */
export async function countMessages(
  db: Queryable,
  visible: Condition | null,
  since: Date,
): Promise<{ received: number; sent: number }> {
  const seen = visible
    ? sql`exists (select from tickets where tickets.tenant_id = m.tenant_id and tickets.id = m.ticket_id and ${visible})`
    : sql`true`
  const { rows } = await sql<{ received: number; sent: number }>`
    select count(*) filter (where not from_me) as received,
      count(*) filter (where from_me and status in ('sent', 'delivered', 'read', 'played')) as sent
    from messages m where id >= ${firstIdAt(since)}::uuid and timestamp >= ${since} and not is_note and ${seen}`.execute(
    db,
  )
  return rows[0]!
}

/** The smallest UUIDv7 of a moment. */
const firstIdAt = (at: Date): string =>
  at
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000')

/** Names of queues by id. */
export async function queueNames(db: Queryable): Promise<Map<number, string>> {
  const rows = await db.selectFrom('queues').select(['id', 'queue']).execute()
  return new Map(rows.map((row) => [row.id, row.queue]))
}

/** Active users who are online, by name. */
export const onlineUsers = (db: Queryable) =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('is_active', '=', true)
    .where('is_online', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute()
