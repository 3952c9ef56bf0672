import { type RawBuilder, sql } from 'kysely'
import { ALERTS, type Alert } from '#domain/funnel/alerts.ts'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Asked, alerted, matching, staleBefore } from './queries.ts'

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

/** The whole of what is asked for, split in four ways in one snapshot: each way adds up to it, but for what has no month. */
export async function splitsOf(db: Queryable, asked: Asked, zone: string): Promise<Split[]> {
  const month = (time: string) => sql`date_trunc('month', ${sql.ref(time)} at time zone ${zone})::date`
  const way = (
    by: Split['by'],
    owner: RawBuilder<unknown>,
    name: RawBuilder<unknown>,
    more: RawBuilder<unknown>,
  ) => sql`
    select ${by}::text as by, o.status, ${owner} as "ownerId", ${name} as month, o.stage_id, count(*) as count, sum(o.value) as value
    from opportunities o where ${matching(db, asked)} and ${more} group by 2, 3, 4, 5`
  const noMonth = sql`null::date`
  const noOwner = sql`null::bigint`
  const ways = [
    way('owner', sql`o.responsible_id`, noMonth, sql`true`),
    way('made', noOwner, month('o.created_at'), sql`true`),
    way('closed', noOwner, month('o.closed_at'), sql`o.status <> 'open'`),
    way('forecast', noOwner, sql`date_trunc('month', o.closing_forecast)::date`, sql`o.status = 'open'`),
  ]
  // By stage first: so each card is added once, and not multiplied.
  const { rows } = await sql<Split>`
    select n.by, n.status, n."ownerId", n.month::text as month, sum(n.count)::int as count, sum(n.value)::text as value,
      sum(n.value * s.chance / 100)::numeric(18, 2)::text as expected
    from (${sql.join(ways, sql` union all `)}) n join pipeline_stages s on s.id = n.stage_id
    group by n.by, n.status, n."ownerId", n.month`.execute(db)
  return rows
}

/** How many open cards ask for attention, and what they are worth, by what they ask it for. */
export async function alertsOfAll(
  db: Queryable,
  asked: Asked,
): Promise<{ alert: Alert; count: number; value: string }[]> {
  const is = ALERTS.map((alert) => sql`(${alerted(alert, asked, sql`s.stale_before`)}) as ${sql.id(alert)}`)
  const sums = ALERTS.flatMap((alert) => [
    sql`count(*) filter (where n.${sql.id(alert)})::int as ${sql.id(`${alert}Count`)}`,
    sql`coalesce(sum(n.value) filter (where n.${sql.id(alert)}), 0)::numeric(18, 2)::text as ${sql.id(`${alert}Value`)}`,
  ])
  // `offset 0`: what is asked of a card is decided once, not for each sum, and of a stage once, not for each card.
  const { rows } = await sql<Record<string, number | string>>`
    select ${sql.join(sums)} from (select o.value, ${sql.join(is)} from opportunities o
      join (select s.id, ${staleBefore(asked.now)} as stale_before from pipeline_stages s offset 0) s on s.id = o.stage_id
      where o.status = 'open' and ${matching(db, asked)} offset 0) n`.execute(db)
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
