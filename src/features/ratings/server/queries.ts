import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EvaluationStatus } from '#domain/ratings/evaluation.ts'
import type { Queryable, Tx } from '#server/db/db.ts'

/** An evaluation with the names that its list shows; `place` is microseconds, exact where a Date is not. */
export type EvaluationRecord = {
  id: number
  ticket_id: number
  status: EvaluationStatus
  evaluation: number | null
  attempts: number
  user_id: number | null
  user_name: string | null
  queue_id: number | null
  queue_name: string | null
  contact_name: string
  asked_at: Date
  answered_at: Date | null
  place: number
}

/** What narrows the list; days are of `zone`. `contacts`: those that a search found, or the text that their names contain. */
export type EvaluationFilter = {
  /** The condition on `tickets` of what the person may see. */
  readonly visible: RawBuilder<SqlBool>
  readonly search: {
    readonly ticketId: number | null
    readonly text: string
    readonly contacts: readonly number[] | 'many'
  } | null
  readonly from: string | undefined
  readonly to: string | undefined
  readonly ratings: readonly number[]
  readonly answered: boolean
  readonly zone: string
}

function conditions({ visible, search, from, to, ratings, answered, zone }: EvaluationFilter): RawBuilder<SqlBool> {
  const all = [visible]
  if (from) all.push(sql`e.asked_at >= (${from}::timestamp at time zone ${zone})`)
  if (to) all.push(sql`e.asked_at < ((${to}::date + 1)::timestamp at time zone ${zone})`)
  if (ratings.length > 0) all.push(sql`e.evaluation = any(${[...ratings]}::smallint[])`)
  if (answered) all.push(sql`e.evaluation is not null`)
  if (search) {
    const pattern = `%${search.text.replace(/[\\%_]/g, '\\$&')}%`
    const named =
      search.contacts === 'many'
        ? sql`c.search_text like app.fold(${pattern})`
        : sql`e.contact_id = any(${[...search.contacts]}::bigint[])`
    all.push(sql`(${named} or e.ticket_id = ${search.ticketId} or app.fold(u.name) like app.fold(${pattern}))`)
  }
  return sql.join(all, sql` and `)
}

const source = sql`ticket_evaluations e
  join tickets on tickets.tenant_id = e.tenant_id and tickets.id = e.ticket_id
  join contacts c on c.tenant_id = e.tenant_id and c.id = e.contact_id
  left join users u on u.tenant_id = e.tenant_id and u.id = e.user_id
  left join queues q on q.tenant_id = e.tenant_id and q.id = e.queue_id`
const columns = sql`e.id, e.ticket_id, e.status, e.evaluation, e.attempts, e.user_id, u.name as user_name, e.queue_id,
  q.queue as queue_name, c.name as contact_name, e.asked_at, e.answered_at,
  (extract(epoch from e.asked_at) * 1000000)::bigint as place`

/** The last row of the page before. */
export type Place = { readonly at: number; readonly id: number }

/** A page of evaluations, the newest question first. */
export async function listEvaluations(
  db: Queryable,
  filter: EvaluationFilter,
  { after, offset, limit }: { after: Place | null; offset: number; limit: number },
): Promise<EvaluationRecord[]> {
  const place = after
    ? sql`(e.asked_at, e.id) < (timestamptz 'epoch' + ${after.at}::bigint * interval '1 microsecond', ${after.id})`
    : sql`true`
  const { rows } = await sql<EvaluationRecord>`
    select ${columns} from ${source} where ${conditions(filter)} and ${place}
    order by e.asked_at desc, e.id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  return rows
}

/** How many evaluations there are and how often each rating was given, counted over the newest `most`. */
export async function sumUp(
  db: Queryable,
  filter: EvaluationFilter,
  most: number,
): Promise<{ count: number; amounts: number[] }> {
  const { rows } = await sql<{ count: number; amounts: number[] }>`
    select count(*)::int as count,
      array[${sql.join([0, 1, 2, 3, 4, 5].map((rating) => sql`count(*) filter (where evaluation = ${sql.lit(rating)})`))}]::int[] as amounts
    from (select e.evaluation from ${source} where ${conditions(filter)}
      order by e.asked_at desc, e.id desc limit ${sql.lit(most)}) newest`.execute(db)
  return rows[0]!
}

/** A page of the evaluations of one ticket, the newest question first. */
export async function listOfTicket(
  db: Queryable,
  ticketId: number,
  { before, offset, limit }: { before: number | null; offset: number; limit: number },
): Promise<EvaluationRecord[]> {
  const place = before === null ? sql`true` : sql`e.id < ${before}`
  const { rows } = await sql<EvaluationRecord>`
    select ${columns} from ${source} where e.ticket_id = ${ticketId} and ${place}
    order by e.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** The ticket of an evaluation, if the condition on `tickets` lets it through. */
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

/** Deletes an evaluation; what the customer answers later is a matter of its own. */
export async function deleteEvaluation(db: Tx, id: number): Promise<void> {
  await sql`delete from ticket_evaluations where id = ${id}`.execute(db)
}
