import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import { type CompanyRemoval, removed } from '#server/db/removal.ts'
import type { PageStart } from '#server/paging.ts'

/** Filters of a list of calls. */
export type CallFilter = {
  readonly from: Date
  readonly until: Date
  readonly assistantId: number | undefined
  readonly use: string | undefined
  readonly search: string | undefined
}

/** Row of a call; `micros`: its time, in microseconds since 1970. */
export type ShownCall = {
  readonly id: string
  readonly micros: number
  readonly createdAt: Date
  readonly use: string
  readonly assistantId: number | null
  readonly assistant: string | null
  readonly provider: string
  readonly model: string
  readonly ticketId: number | null
  readonly userName: string | null
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly ms: number
  readonly cost: number
  readonly outcome: string | null
  readonly error: string | null
}

const SOURCE = sql`assistant_calls c
  left join provider_settings a on a.tenant_id = c.tenant_id and a.id = c.account_id
  left join users u on u.tenant_id = c.tenant_id and u.id = c.user_id`

function conditions({ from, until, assistantId, use, search }: CallFilter): RawBuilder<SqlBool> {
  const all = [sql<SqlBool>`c.created_at >= ${from} and c.created_at < ${until}`]
  if (assistantId) all.push(sql`c.account_id = ${assistantId}`)
  if (use) all.push(sql`c.purpose = ${use}`)
  if (search)
    all.push(
      sql`app.fold(concat_ws(' ', a.name, c.provider, c.model, u.name, c.error, c.ticket_id)) like app.fold(${patternOf(search)})`,
    )
  return sql.join(all, sql` and `)
}

/** Calls, the newest first. */
export async function listCalls(
  db: Queryable,
  filter: CallFilter,
  { after, offset, limit }: PageStart<[number, string]>,
): Promise<ShownCall[]> {
  const start = after
    ? sql`(c.created_at, c.id) < (to_timestamp(0) + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
    : sql`true`
  const { rows } = await sql<ShownCall>`
    select c.id, (extract(epoch from c.created_at) * 1000000)::bigint as micros, c.created_at as "createdAt",
      c.purpose as use, c.account_id as "assistantId", a.name as assistant, c.provider, c.model, c.ticket_id as "ticketId",
      u.name as "userName", c.input_tokens as "inputTokens", c.cached_tokens as "cachedTokens",
      c.output_tokens as "outputTokens", c.ms, c.cost::float8 as cost, c.outcome, c.error
    from ${SOURCE} where ${conditions(filter)} and ${start}
    order by c.created_at desc, c.id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** Counts the calls matching the filter, up to `most`. */
export async function countCalls(db: Queryable, filter: CallFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from ${SOURCE} where ${conditions(filter)} limit ${most}) counted`.execute(
    db,
  )
  return firstOf(rows).n
}

/** Removes expired calls, whose costs have been reported by then. */
export const removeCalls: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from assistant_calls where tenant_id = ${tenantId} and id in
      (select id from assistant_calls where tenant_id = ${tenantId} and created_at < ${before} limit ${most})`,
  )

/** Removes expired turns that have ended. */
export const removeTurns: CompanyRemoval = (db, before, most, tenantId) =>
  removed(
    db,
    sql`delete from assistant_turns where tenant_id = ${tenantId} and id in
      (select id from assistant_turns where tenant_id = ${tenantId} and ended_at < ${before} limit ${most})`,
  )
