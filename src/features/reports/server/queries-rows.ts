import { sql } from 'kysely'
import type { Amount } from '#domain/reports/measures.ts'
import type { Queryable } from '#server/db/db.ts'
import type { PageStart } from '#server/paging.ts'
import { amountSql, type Condition, type Counting, WHOLE } from './queries-facts.ts'

/** Ticket with the names that a report shows; `position` is in microseconds, more exact than a Date. */
export type RowRecord = {
  id: number
  status: 'open' | 'pending' | 'closed'
  contactId: number
  name: string
  number: string | null
  whatsappId: number
  whatsapp: string
  channel: string
  lastMessage: string
  unreadMessages: number
  reason: string | null
  queue: string | null
  user: string | null
  value: string | null
  notes: number
  rating: number | null
  createdAt: Date
  startedAttendanceAt: Date | null
  closedAt: Date | null
  amount: number | null
  position: number
}

/** Returns a page of tickets from several parts, newest first; joins names to the page only. */
export async function pageOfRows(
  db: Queryable,
  parts: readonly Condition[],
  { after, limit }: Pick<PageStart<[at: number, id: number]>, 'after' | 'limit'>,
  counted: { readonly amount: Amount | null; readonly counting: Counting } = { amount: null, counting: WHOLE },
): Promise<RowRecord[]> {
  const position = after
    ? sql`(tickets.created_at, tickets.id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]})`
    : sql`true`
  const amount = counted.amount ? amountSql(counted.amount, counted.counting) : sql`null::bigint`
  const firsts = parts.map(
    (part) => sql`(select tickets.* from tickets where ${part} and ${position}
      order by tickets.created_at desc, tickets.id desc limit ${sql.lit(limit)})`,
  )
  const { rows } = await sql<RowRecord>`
    select t.id, t.status, t.contact_id as "contactId", c.name, c.number, t.connection_id as "whatsappId", w.name as whatsapp,
      t.channel, t.last_message as "lastMessage", t.unread_messages as "unreadMessages", r.name as reason, q.queue,
      u.name as "user", t.value, t.created_at as "createdAt", t.started_attendance_at as "startedAttendanceAt",
      case when t.status = 'closed' then t.closed_at end as "closedAt",
      t.amount, (extract(epoch from t.created_at) * 1000000)::bigint as position,
      (select count(*) from messages m where m.tenant_id = t.tenant_id and m.ticket_id = t.id and m.is_note
        and not m.is_deleted) as notes,
      (select e.evaluation from ticket_evaluations e where e.tenant_id = t.tenant_id and e.ticket_id = t.id
        and e.evaluation is not null order by e.closed_at desc limit 1) as rating
    from (select tickets.*, ${amount} as amount from (${sql.join(firsts, sql` union all `)}) tickets
      order by tickets.created_at desc, tickets.id desc limit ${sql.lit(limit)}) t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    join connections w on w.tenant_id = t.tenant_id and w.id = t.connection_id
    left join reasons r on r.tenant_id = t.tenant_id and r.id = t.reason_id
    left join queues q on q.tenant_id = t.tenant_id and q.id = t.queue_id
    left join users u on u.tenant_id = t.tenant_id and u.id = t.user_id
    order by t.created_at desc, t.id desc`.execute(db)
  return rows
}

/** Counts the tickets of several parts. */
export async function countRows(db: Queryable, parts: readonly Condition[]): Promise<number> {
  const counts = parts.map((part) => sql`(select count(*) from tickets where ${part})`)
  const { rows } = await sql<{ count: number }>`select ${sql.join(counts, sql` + `)} as count`.execute(db)
  return rows[0]!.count
}

/** Counts tickets closed per day within a condition. */
export async function countEnds(db: Queryable, where: Condition, zone: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select (tickets.closed_at at time zone ${zone})::date::text as day, count(*) as count from tickets
    where ${where} group by 1`.execute(db)
  return new Map(rows.map(({ day, count }) => [day, count]))
}

/** Counts contacts created per day, without merged ones and groups. */
export async function countNewContacts(
  db: Queryable,
  { from, before, zone }: { from: Date; before: Date; zone: string },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select (created_at at time zone ${zone})::date::text as day, count(*) as count from contacts
    where created_at >= ${from} and created_at < ${before} and merged_into is null and not is_group
    group by 1`.execute(db)
  return new Map(rows.map(({ day, count }) => [day, count]))
}

/** Returns the names of queues, users, connections and reasons, removed ones included. */
export async function findNames(
  db: Queryable,
  what: 'queue' | 'user' | 'connection' | 'reason',
): Promise<Map<string, { name: string; email: string | null }>> {
  const tables = {
    queue: sql`select id, queue as name, null as email from queues`,
    user: sql`select id, name, email from users`,
    connection: sql`select id, name, null as email from connections`,
    reason: sql`select id, name, null as email from reasons`,
  }
  const { rows } = await sql<{ id: number; name: string; email: string | null }>`${tables[what]}`.execute(db)
  return new Map(rows.map(({ id, ...one }) => [String(id), one]))
}
