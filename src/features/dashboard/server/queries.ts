import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/db/db.ts'

type Condition = RawBuilder<SqlBool>

/** How many tickets satisfy each of the conditions on `tickets`, in one reading. */
export async function countEach<K extends string>(
  db: Queryable,
  conditions: Readonly<Record<K, Condition>>,
): Promise<Record<K, number>> {
  const counts = Object.entries<Condition>(conditions).map(
    ([name, condition]) => sql`(select count(*) from tickets where ${condition}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<K, number>>`select ${sql.join(counts)}`.execute(db)
  return rows[0]!
}

/** The ticket that waits longest of those within the condition. */
export async function longestWait(db: Queryable, condition: Condition) {
  const { rows } = await sql<{ ticketId: number; status: 'open' | 'pending'; since: Date }>`
    select id as "ticketId", status, waiting_since as since from tickets where ${condition}
    order by waiting_since, id limit 1`.execute(db)
  return rows[0]
}

/** Tickets within the condition by queue, the fullest first; queues without any are left out, null is no queue. */
export async function countByQueue(db: Queryable, condition: Condition) {
  const { rows } = await sql<{ id: number | null; name: string | null; open: number; pending: number }>`
    select c.queue_id as id, q.queue as name, c.open, c.pending from (
      select queue_id, count(*) filter (where status = 'open') as open, count(*) filter (where status = 'pending') as pending,
        count(*) as all_of_them
      from tickets where ${condition} group by queue_id) c
    left join queues q on q.tenant_id = app.tenant() and q.id = c.queue_id
    order by c.all_of_them desc, q.queue, c.queue_id`.execute(db)
  return rows
}

/** Tickets within the condition by owner. */
export async function countByOwner(db: Queryable, condition: Condition): Promise<Map<number, number>> {
  const { rows } = await sql<{ user_id: number; n: number }>`
    select user_id, count(*) as n from tickets where ${condition} and user_id is not null group by user_id`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.n]))
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
