import { type RawBuilder, sql } from 'kysely'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Asked, alerted, idleBefore, matching, staleBefore, withTask } from './queries.ts'
import { sums } from './queries-sums.ts'

/** Group of cards that share the value of `by`, with count and value. */
export type Split = {
  readonly by: 'owner' | 'forecast' | 'made' | 'closed' | 'due' | 'unassigned' | 'high' | 'moved' | 'fresh' | 'tasked'
  readonly status: CardStatus | null
  readonly ownerId: number | null
  /** First day of the month that `by` refers to, in the company's time zone; null if it has none. */
  readonly month: string | null
  readonly count: number
  readonly value: string
  /** Value by chance. */
  readonly expected: string
}

/**
 * Splits the cards of a request in several ways, in one snapshot: by owner and status, and open ones by month of their
 * forecast (each adds up to all); by months of creation and ending; and open ones by alert or its complement: recently moved
 * (`moved`), recently entered (`fresh`), with a task (`tasked`), which are usually fewer.
 */
export async function splitsOf(db: Queryable, asked: Asked, zone: string): Promise<Split[]> {
  const cards = matching(db, asked)
  const totals = sql`coalesce(sum(n.count), 0) as count, coalesce(sum(n.value), 0) as value`
  const open = (by: Split['by'], condition: RawBuilder<unknown>) => sql`
    select ${sql.lit(by)}, 'open', null, null, count(*), coalesce(sum(o.value), 0), 0
    from opportunities o where ${cards} and ${condition}`
  const inMonth = (time: RawBuilder<unknown>) => sql`${time} >= m.at and ${time} < m.before`
  const { rows } = await sql<Split>`
    with whole as materialized (
      select n.stage_id, n.owner_id, n.status, n.month, sum(n.count) as count, sum(n.value) as value,
        sum(n.high_count) as high_count, sum(n.high_value) as high_value
      from (${sums(db, asked)}) n group by 1, 2, 3, 4
    ), months as materialized (
      select month::date as month, month at time zone ${zone} as at,
        coalesce(lead(month) over (order by month) at time zone ${zone}, 'infinity') as before
      from (select min(least(made.at, ended.at)) at time zone ${zone} as first from pipelines p
        cross join lateral (select min(o.created_at) as at from opportunities o where o.pipeline_id = p.id) made
        cross join lateral (select min(o.closed_at) as at from opportunities o
          where o.pipeline_id = p.id and o.status <> 'open') ended) begun
      cross join generate_series(date_trunc('month', begun.first), ${asked.now}::timestamptz at time zone ${zone},
        interval '1 month') month
    )
    select n.by, n.status, n.owner_id as "ownerId", n.month::text as month, n.count::int as count,
      n.value::numeric(18, 2)::text as value, n.expected::numeric(18, 2)::text as expected
    from (
      select 'owner' as by, n.status, nullif(n.owner_id, 0) as owner_id, null::date as month, sum(n.count) as count, sum(n.value) as value,
        0 as expected
      from whole n group by n.status, n.owner_id
      union all select 'forecast', 'open', null, nullif(n.month, 'infinity'), sum(n.count), sum(n.value),
        sum(n.value * s.chance / 100)
      from whole n join pipeline_stages s on s.id = n.stage_id where n.status = 'open' group by n.month
      union all select 'unassigned', 'open', null, null, ${totals}, 0 from whole n
      where n.status = 'open' and n.owner_id = 0
      union all select 'high', 'open', null, null, coalesce(sum(n.high_count), 0), coalesce(sum(n.high_value), 0), 0
      from whole n where n.status = 'open'
      union all ${open('due', alerted('due', asked))}
      union all ${open('tasked', sql`o.status = 'open' and o.id in (${withTask})`)}
      union all ${open('moved', sql`o.status = 'open' and o.moved_at >= ${idleBefore(asked.now)}`)}
      union all select 'fresh', 'open', null, null, ${totals}, 0
      from (select s.id, ${staleBefore(asked.now)} as since from pipeline_stages s) s cross join lateral (
        select count(*) as count, sum(o.value) as value from opportunities o
        where o.stage_id = s.id and o.status = 'open' and o.stage_since >= s.since and ${cards}) n
      union all select 'made', null, null, m.month, n.count, 0, 0 from months m cross join lateral (
        select count(*) as count from opportunities o where ${inMonth(sql`o.created_at`)} and ${cards}) n
      union all select 'closed', n.status, null, m.month, n.count, n.value, 0 from months m cross join lateral (
        select o.status, count(*) as count, sum(o.value) as value from opportunities o
        where o.status <> 'open' and ${inMonth(sql`o.closed_at`)} and ${cards} group by o.status) n
    ) n where n.count > 0`.execute(db)
  return rows
}

/** Returns the names of users. */
export async function namesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from users where id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Sums of cards created in a period, by stage (in the order of pipelines) or by owner; values in cents. */
export type CardSum = {
  key: string
  label: string
  created: number
  open: number
  won: number
  lost: number
  value: number
  wonValue: number
}

/** Sums the requested cards by stage or by owner. */
export async function addUpCards(db: Queryable, asked: Asked, by: 'stage' | 'owner'): Promise<CardSum[]> {
  const of =
    by === 'stage'
      ? { key: sql`s.id::text`, label: sql`p.name || ' · ' || s.name`, order: sql`min(p.name), min(s.position)` }
      : { key: sql`coalesce(u.id::text, '')`, label: sql`coalesce(u.name, '')`, order: sql`count(*) desc` }
  const cents = (which: ReturnType<typeof sql>) =>
    sql`coalesce((sum(o.value) filter (where ${which}) * 100), 0)::bigint`
  const { rows } = await sql<CardSum>`
    select ${of.key} as key, ${of.label} as label, count(*)::int as created,
      (count(*) filter (where o.status = 'open'))::int as open, (count(*) filter (where o.status = 'win'))::int as won,
      (count(*) filter (where o.status = 'lose'))::int as lost,
      ${cents(sql`true`)} as value, ${cents(sql`o.status = 'win'`)} as "wonValue"
    from opportunities o
    join pipeline_stages s on s.tenant_id = o.tenant_id and s.id = o.stage_id
    join pipelines p on p.tenant_id = s.tenant_id and p.id = s.pipeline_id
    left join users u on u.tenant_id = o.tenant_id and u.id = o.responsible_id
    where ${matching(db, asked)} group by 1, 2 order by ${of.order}`.execute(db)
  return rows
}
