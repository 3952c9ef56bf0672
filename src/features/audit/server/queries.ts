import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { AuditRecord } from '#server/audit-chain.ts'
import type { Queryable } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'

/** Log to read: the company's own, or the installation's. */
export type Log = 'company' | 'installation'

/** Filters of a list of records; days are of `zone`. */
export type AuditFilter = {
  readonly user: number | undefined
  readonly action: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly result: 'ok' | 'refused' | undefined
  readonly search: string | undefined
  readonly zone: string
}

const sourceOf = (log: Log) =>
  log === 'company'
    ? {
        table: sql.table('audit_log'),
        own: sql<SqlBool>`tenant_id = app.tenant()`,
        // A refused login has the account's id only.
        name: sql`coalesce(nullif(user_name, ''), (select name from users where id = user_id), '') as user_name`,
      }
    : { table: sql.table('platform_audit_log'), own: sql<SqlBool>`true`, name: sql`user_name` }

// Records are numbered in the order of time, as far as clocks agree: the numbers of some days are found by their time,
// and a day beyond, so that a list in the order of numbers need not walk there.
const MARGIN = sql`interval '1 day'`

function conditions(log: Log, filter: AuditFilter): RawBuilder<SqlBool> {
  const { user, action, from, to, result, search, zone } = filter
  const { table, own } = sourceOf(log)
  const all = [own]
  if (user) all.push(sql`user_id = ${user}`)
  if (action) all.push(sql`action = ${action}`)
  if (from) {
    const start = sql`(${from}::timestamp at time zone ${zone})`
    all.push(sql`at >= ${start} and seq > (select coalesce((select seq from ${table} where ${own} and at < ${start} - ${MARGIN}
      order by at desc limit 1), 0))`)
  }
  if (to) {
    const end = sql`((${to}::date + 1)::timestamp at time zone ${zone})`
    all.push(sql`at < ${end} and seq < (select coalesce((select seq from ${table} where ${own} and at >= ${end} + ${MARGIN}
      order by at limit 1), ${Number.MAX_SAFE_INTEGER}::bigint))`)
  }
  if (result) all.push(result === 'ok' ? sql`result = 'ok'` : sql`result <> 'ok'`)
  if (search) {
    const pattern = patternOf(search)
    all.push(
      sql`app.fold(concat_ws(' ', user_name, summary, action, result, ip, target, changes)) like app.fold(${pattern})`,
    )
  }
  return sql.join(all, sql` and `)
}

/** Returns records by number, newest first: those before `before`, or the page after `skip` records. */
export async function listRecords(
  db: Queryable,
  log: Log,
  filter: AuditFilter,
  { before, skip, limit }: { before: number | null; skip: number; limit: number },
): Promise<AuditRecord[]> {
  const start = before === null ? sql`true` : sql`seq < ${before}`
  const { table, name } = sourceOf(log)
  const { rows } = await sql<AuditRecord>`select seq, at, action, summary, result, user_id, ${name}, profile,
      is_support, method, ip, user_agent, request_id, target, changes
    from ${table} where ${conditions(log, filter)} and ${start}
    order by seq desc limit ${limit} offset ${skip}`.execute(db)
  return rows
}

/** Counts records, up to `most`. */
export async function countRecords(db: Queryable, log: Log, filter: AuditFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from
    (select from ${sourceOf(log).table} where ${conditions(log, filter)}
      order by seq desc limit ${most}) counted`.execute(db)
  return firstOf(rows).n
}

/**
 * Returns the next `most` users of a log after one, with their latest names, and (with the first page) the actions; each is
 * one index step.
 */
export async function readOptions(db: Queryable, log: Log, after: number | null, most: number) {
  const { table, own } = sourceOf(log)
  const step = (column: RawBuilder<unknown>, from: RawBuilder<unknown> = sql`true`) => sql`with recursive known as (
      (select ${column} as value from ${table} where ${own} and ${column} is not null and ${from} order by ${column} limit 1)
      union all
      select (select ${column} from ${table} where ${own} and ${column} > known.value order by ${column} limit 1)
        from known where known.value is not null)`
  const users = await sql<{
    id: number
    name: string
  }>`${step(sql`user_id`, after === null ? undefined : sql`user_id > ${after}`)}
    select value as id, coalesce((select user_name from ${table}
      where ${own} and user_id = value and user_name <> '' order by seq desc limit 1), '') as name
    from known where value is not null limit ${most}`.execute(db)
  if (after !== null) return { users: users.rows, actions: [] }
  const actions = await sql<{ action: string; summary: string }>`${step(sql`action`)}
    select value as action, (select summary from ${table} where ${own} and action = value order by seq desc limit 1) as summary
    from known where value is not null`.execute(db)
  return { users: users.rows, actions: actions.rows }
}
