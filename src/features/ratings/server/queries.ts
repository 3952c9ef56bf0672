import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { RatingStatus } from '#domain/ratings/rating.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'

/** Row of a rating with names; `position` is its time in microseconds, more exact than a Date. */
export type RatingRecord = {
  id: number
  ticket_id: number
  status: RatingStatus
  evaluation: number | null
  attempts: number
  user_id: number | null
  user_name: string | null
  queue_id: number | null
  queue_name: string | null
  contact_name: string
  asked_at: Date
  answered_at: Date | null
  position: number
}

/**
 * Filters of the list; days are of `zone`. A search either has found contacts, or tests each rating's contact (`many`) if
 * the text is in most names.
 */
export type RatingFilter = {
  /** Condition on `tickets` for what the user may see. */
  readonly visible: RawBuilder<SqlBool>
  readonly search: {
    readonly ticketId: number | null
    readonly contacts: readonly number[] | { readonly many: string }
  } | null
  readonly from: string | undefined
  readonly to: string | undefined
  readonly ratings: readonly number[]
  readonly user: number | undefined
  readonly answered: boolean
  readonly zone: string
}

function filtered(filter: RatingFilter): RawBuilder<unknown> {
  const { visible, search, from, to, ratings, user, answered, zone } = filter
  // `offset 0` forces a look-up of one ticket: the planner would otherwise hash the whole table.
  const all = [
    sql`exists (select from tickets where tickets.tenant_id = e.tenant_id and tickets.id = e.ticket_id and ${visible} offset 0)`,
  ]
  if (from) all.push(sql`e.asked_at >= (${from}::timestamp at time zone ${zone})`)
  if (to) all.push(sql`e.asked_at < ((${to}::date + 1)::timestamp at time zone ${zone})`)
  if (ratings.length > 0) all.push(sql`e.evaluation = any(${[...ratings]}::smallint[])`)
  if (user) all.push(sql`e.user_id = ${user}`)
  if (answered) all.push(sql`e.evaluation is not null`)
  if (search && 'many' in search.contacts) {
    const pattern = patternOf(search.contacts.many)
    all.push(sql`((select c.search_text like app.fold(${pattern}) from tickets t
      join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
      where t.tenant_id = e.tenant_id and t.id = e.ticket_id) or e.ticket_id = ${search.ticketId})`)
  }
  return sql`${source(search)} e where ${sql.join(all, sql` and `)}`
}

function source(search: RatingFilter['search']) {
  if (!search || 'many' in search.contacts) return sql`ticket_evaluations`
  // Forces an index look-up per contact, regardless of the planner's estimates.
  const contacts = sql`${[...search.contacts]}::bigint[]`
  return sql`(select found.* from unnest(${contacts}) as contact (id)
      cross join lateral (select e.* from tickets t join ticket_evaluations e on e.tenant_id = t.tenant_id and e.ticket_id = t.id
        where t.tenant_id = app.tenant() and t.contact_id = contact.id offset 0) found
    union select * from ticket_evaluations where ticket_id = ${search.ticketId})`
}

const columns = sql`e.id, e.ticket_id, e.status, e.evaluation, e.attempts, e.user_id, u.name as user_name, e.queue_id,
  q.queue as queue_name, c.name as contact_name, e.asked_at, e.answered_at,
  (extract(epoch from e.asked_at) * 1000000)::bigint as position`
// The ticket's present contact, after later merges and their undo.
const names = sql`join tickets t on t.tenant_id = e.tenant_id and t.id = e.ticket_id
  join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
  left join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
  left join queues q on q.tenant_id = e.tenant_id and q.id = e.queue_id`

/** Returns a page of ratings, newest question first; names are joined to the returned rows only. */
export async function listEvaluations(
  db: Queryable,
  filter: RatingFilter,
  { after, offset, limit }: PageStart<[at: number, id: number]>,
): Promise<RatingRecord[]> {
  const position = after
    ? sql`(e.asked_at, e.id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]})`
    : sql`true`
  const { rows } = await sql<RatingRecord>`
    select ${columns} from (select e.* from ${filtered(filter)} and ${position}
      order by e.asked_at desc, e.id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}) e ${names}
    order by e.asked_at desc, e.id desc`.execute(db)
  return rows
}

/** Counts requests and each rating, over the newest `most`. */
export async function sumUp(
  db: Queryable,
  filter: RatingFilter,
  most: number,
): Promise<{ count: number; amounts: number[] }> {
  const { rows } = await sql<{ count: number; amounts: number[] }>`
    select count(*)::int as count,
      array[${sql.join([0, 1, 2, 3, 4, 5].map((rating) => sql`count(*) filter (where evaluation = ${sql.lit(rating)})`))}]::int[] as amounts
    from (select e.evaluation from ${filtered(filter)}
      order by e.asked_at desc, e.id desc limit ${sql.lit(most)}) newest`.execute(db)
  return firstOf(rows)
}

/** Returns a page of one ticket's ratings, newest question first. */
export async function listOfTicket(
  db: Queryable,
  ticketId: number,
  { after, offset, limit }: PageStart<[id: number]>,
): Promise<RatingRecord[]> {
  const position = after ? sql`e.id < ${after[0]}` : sql`true`
  const { rows } = await sql<RatingRecord>`
    select ${columns} from ticket_evaluations e ${names} where e.ticket_id = ${ticketId} and ${position}
    order by e.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Finds the ticket of a rating, if the condition on `tickets` permits. */
export async function findTicketOf(
  db: Queryable,
  id: number,
  visible: RawBuilder<SqlBool>,
): Promise<number | undefined> {
  const { rows } = await sql<{ ticket_id: number }>`
    select e.ticket_id from ticket_evaluations e
    join tickets on tickets.tenant_id = e.tenant_id and tickets.id = e.ticket_id
    where e.id = ${id} and ${visible}`.execute(db)
  return rows[0]?.ticket_id
}

/** Deletes a rating request; a later answer of the customer counts as a new message. */
export async function deleteRating(db: Tx, id: number): Promise<void> {
  await sql`delete from ticket_evaluations where id = ${id}`.execute(db)
}
