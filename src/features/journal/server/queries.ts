import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { firstOf } from '#domain/present.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { patternOf } from '#server/db/like.ts'
import type { PageStart } from '#server/paging.ts'
import type { SetAsideEvent } from '../contract.ts'

/** Row of a set-aside event; `position` is its time in microseconds, more exact than a Date. */
export type SetAsideRow = {
  tenant_id: number
  tenant_name: string
  id: string
  kind: string | null
  fault: SetAsideEvent['fault']
  code: string
  detail: string
  attempts: number
  /** Name of the job; null: an event of the connection. */
  task: string | null
  connection_id: number | null
  connection_name: string | null
  connection_type: string | null
  received_at: Date
  set_aside_at: Date
  position: number
}

/** Filters of set-aside events. */
export type SetAsideFilter = {
  readonly search: string | undefined
  readonly fault: SetAsideEvent['fault'] | undefined
  /** Whether to list every company's; requires platform database access. */
  readonly ofAll: boolean
}

const fault = sql`case when j.error_code ~ '^(22|23)[0-9A-Z]{3}$' or j.error_code = 'ERR_VALIDATION' then 'data'
  when j.error_code ~ '^54[0-9A-Z]{3}$' then 'limit' else 'own' end`

function filtered(filter: SetAsideFilter): RawBuilder<unknown> {
  const all = [sql<SqlBool>`true`]
  if (filter.fault) all.push(sql`${fault} = ${filter.fault}`)
  if (filter.search)
    all.push(
      sql`app.fold(concat_ws(' ', c.name, j.task, j.error_code, t.name)) like app.fold(${patternOf(filter.search)})`,
    )
  return sql`(
      select tenant_id, id, coalesce(payload #>> '{message,type}', payload ->> 'type') as kind, null as task, error_code, error,
        greatest(attempts, deaths) as attempts, connection_id, received_at, set_aside_at
      from journal where set_aside_at is not null
      union all
      select tenant_id, id, 'job', task, 'ERR_PROCESS_DIED', error, attempts, null, received_at, set_aside_at
      from ${filter.ofAll ? sql`app.all_jobs_aside()` : sql`app.jobs_aside()`}
    ) j left join connections c on c.tenant_id = j.tenant_id and c.id = j.connection_id
    join tenants t on t.id = j.tenant_id where ${sql.join(all, sql` and `)}`
}

/** Returns a page of set-aside events, newest first: the company's, or with platform database access all. */
export async function listSetAside(
  db: Queryable,
  filter: SetAsideFilter,
  { after, offset, limit }: PageStart<[at: number, id: string]>,
): Promise<SetAsideRow[]> {
  const position = after
    ? sql`(j.set_aside_at, j.id) < (timestamptz 'epoch' + ${after[0]}::bigint * interval '1 microsecond', ${after[1]}::uuid)`
    : sql`true`
  const { rows } = await sql<SetAsideRow>`
    select j.tenant_id, t.name as tenant_name, j.id, j.kind, j.task,
      ${fault} as fault, coalesce(j.error_code, '') as code, coalesce(j.error, '') as detail, j.attempts, c.id as connection_id,
      c.name as connection_name, c.type as connection_type, j.received_at, j.set_aside_at,
      (extract(epoch from j.set_aside_at) * 1000000)::bigint as position
    from ${filtered(filter)} and ${position}
    order by j.set_aside_at desc, j.id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db)
  return rows
}

/** Counts set-aside events, up to `most`. */
export async function countSetAside(db: Queryable, filter: SetAsideFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from
    (select from ${filtered(filter)} limit ${sql.lit(most)}) counted`.execute(db)
  return firstOf(rows).n
}

/** Retries set-aside jobs, all or the given ones; returns their number. */
export async function releaseJobs(db: Tx, ids: readonly string[] | undefined, most: number): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select app.retry_jobs(${ids ? [...ids] : null}::uuid[], ${most}) as n`.execute(db)
  return firstOf(rows).n
}

/** Returns the companies that have some of the chosen set-aside events; requires platform database access. */
export async function tenantsOf(db: Tx, ids: readonly string[] | undefined): Promise<number[]> {
  const chosen = ids ? sql`and id = any(${[...ids]}::uuid[])` : sql``
  const { rows } = await sql<{ tenant_id: number }>`
    select tenant_id from journal where set_aside_at is not null ${chosen}
    union select tenant_id from app.all_jobs_aside() where tenant_id > 0 ${chosen} order by tenant_id`.execute(db)
  return rows.map((row) => row.tenant_id)
}
