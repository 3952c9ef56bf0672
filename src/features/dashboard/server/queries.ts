import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnsBy } from '#domain/tickets/figures.ts'
import type { Queryable } from '#server/db/db.ts'

type Condition = RawBuilder<SqlBool>

/** Counts the tickets matching each of several conditions, in one query. */
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

/** Returns the matching ticket that waits longest. */
export async function longestWait(db: Queryable, condition: Condition) {
  const { rows } = await sql<{ ticketId: number; status: 'open' | 'pending'; since: Date }>`
    select id as "ticketId", status, waiting_since as since from tickets where ${condition}
    order by waiting_since, id limit 1`.execute(db)
  return rows[0]
}

/** Ticket counts of an agent or queue. */
export type Counted = {
  id: number | null
  open: number
  pending: number
  waiting: number
  warned: number
  missed: number
  waitingSince: Date | null
  changedAt: Date
}

/** Counts matching tickets by agent or queue, in one query; null is none. */
export async function countBy(db: Queryable, by: ColumnsBy, condition: Condition): Promise<Counted[]> {
  const key = sql.ref(by === 'user' ? 'user_id' : 'queue_id')
  const { rows } = await sql<Counted>`
    select ${key} as id, count(*) filter (where status = 'open') as open,
      count(*) filter (where status = 'pending') as pending, count(waiting_since) as waiting,
      count(*) filter (where sla_state = 'warned') as warned, count(*) filter (where sla_state = 'missed') as missed,
      min(waiting_since) as "waitingSince", max(updated_at) as "changedAt"
    from tickets where ${condition} group by ${key}`.execute(db)
  return rows
}

/** Returns the names of all agents or queues, inactive ones included. */
export async function namesOf(db: Queryable, by: ColumnsBy): Promise<Map<number, string>> {
  const rows =
    by === 'user'
      ? await db.selectFrom('users').select(['id', 'name']).execute()
      : await db.selectFrom('queues').select(['id', 'queue as name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns the active users who are online, by name. */
export const onlineUsers = (db: Queryable) =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('is_active', '=', true)
    .where('is_online', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute()
