import { sql } from 'kysely'
import { ALERTS, type Alert } from '#domain/funnel/alerts.ts'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Asked, alerted, matching } from './queries.ts'

/** A part of the whole: cards of a status that share what `by` says, how many and what they are worth. */
export type Split = {
  readonly by: 'owner' | 'made' | 'closed' | 'forecast'
  readonly status: CardStatus
  readonly ownerId: number | null
  /** The first day of the month that `by` names, in the company's zone; null where there is none. */
  readonly month: string | null
  readonly count: number
  readonly value: string
  /** Value by chance. */
  readonly expected: string
}

/** The whole of what is asked for, split in four ways in one reading: each way adds up to it. */
export async function splitsOf(db: Queryable, asked: Asked, zone: string): Promise<Split[]> {
  const month = (time: string) => sql`date_trunc('month', ${sql.ref(time)} at time zone ${zone})::date`
  const { rows } = await sql<Split>`
    select case when grouping(n.owner) = 0 then 'owner' when grouping(n.made) = 0 then 'made'
        when grouping(n.closed) = 0 then 'closed' else 'forecast' end as by,
      n.status, n.owner as "ownerId", coalesce(n.made, n.closed, n.forecast)::text as month,
      count(*)::int as count, sum(n.value)::text as value,
      sum(n.value * n.chance / 100)::numeric(18, 2)::text as expected
    from (select o.status, o.responsible_id as owner, o.value, s.chance, ${month('o.created_at')} as made,
        ${month('o.closed_at')} as closed, date_trunc('month', o.closing_forecast)::date as forecast
      from opportunities o
      join pipeline_stages s on s.tenant_id = o.tenant_id and s.id = o.stage_id
      where ${matching(db, asked)}) n
    group by grouping sets ((n.status, n.owner), (n.status, n.made), (n.status, n.closed), (n.status, n.forecast))`.execute(
    db,
  )
  return rows
}

/** How many open cards ask for attention, and what they are worth, by what they ask it for. */
export async function alertsOfAll(
  db: Queryable,
  asked: Asked,
): Promise<{ alert: Alert; count: number; value: string }[]> {
  const columns = ALERTS.flatMap((alert) => [
    sql`count(*) filter (where ${alerted(alert, asked)})::int as ${sql.id(`${alert}Count`)}`,
    sql`coalesce(sum(o.value) filter (where ${alerted(alert, asked)}), 0)::numeric(18, 2)::text as ${sql.id(`${alert}Value`)}`,
  ])
  const { rows } = await sql<Record<string, number | string>>`
    select ${sql.join(columns)} from opportunities o where o.status = 'open' and ${matching(db, asked)}`.execute(db)
  const [row = {}] = rows
  return ALERTS.map((alert) => ({
    alert,
    count: Number(row[`${alert}Count`] ?? 0),
    value: String(row[`${alert}Value`] ?? '0.00'),
  }))
}

/** What colleagues are called. */
export async function namesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from users where id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What cards that were made in a time came to, by stage (in the order of pipelines) or by owner; values are cents. */
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

/** Cards that are asked for, added up by stage or by owner. */
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
