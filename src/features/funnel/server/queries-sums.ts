import { type RawBuilder, sql } from 'kysely'
import { HIGH_VALUE } from '#domain/funnel/alerts.ts'
import type { CardStatus } from '#domain/funnel/card.ts'
import type { Queryable } from '#server/db/db.ts'
import { type Asked, matching } from './queries.ts'

/**
 * SQL query of card sums (`count`, `value`, `high_count`, `high_value`) by stage (`stage_id`), owner (`owner_id`, 0: none),
 * `status` and, for open cards, `month` of their forecast (infinity: none); to be aggregated. Reads the stored sums, or
 * single cards if a filter is not covered by them.
 */
export function sums(db: Queryable, asked: Asked): RawBuilder<unknown> {
  const { sight, narrowing } = asked
  const { pipelineId, stageIds, statuses, ...others } = narrowing
  const isStored = sight.onlyFor === null && Object.values(others).every((one) => one === undefined)
  if (!isStored)
    return sql`select o.stage_id, coalesce(o.responsible_id, 0) as owner_id, o.status,
        app.forecast_month(o.status, o.closing_forecast) as month, 1 as count, o.value,
        (o.value > ${sql.lit(HIGH_VALUE)})::int as high_count,
        case when o.value > ${sql.lit(HIGH_VALUE)} then o.value else 0 end as high_value
      from opportunities o where ${matching(db, asked)}`
  return sql`select m.* from pipeline_sums m where ${sql.join(
    [
      sql`true`,
      ...(sight.ownerId === null ? [] : [sql`m.owner_id in (0, ${sight.ownerId})`]),
      ...(stageIds ? [sql`m.stage_id = any(${[...stageIds]}::bigint[])`] : []),
      ...(statuses ? [sql`m.status = any(${[...statuses]}::text[])`] : []),
      ...(pipelineId === undefined
        ? []
        : [sql`m.stage_id = any(array(select s.id from pipeline_stages s where s.pipeline_id = ${pipelineId}))`]),
    ],
    sql` and `,
  )}`
}

/** Number and value of a stage's cards. */
export type StageSum = { readonly stageId: number; readonly count: number; readonly value: string }

/** Returns the sums by stage. */
export async function stageSums(db: Queryable, asked: Asked): Promise<StageSum[]> {
  const { rows } = await sql<StageSum>`
    select m.stage_id as "stageId", sum(m.count)::int as count, sum(m.value)::text as value
    from (${sums(db, asked)}) m group by 1`.execute(db)
  return rows
}

/** Sums of cards by status: count, value, and the value expected in a month (value by chance). */
export type StatusSum = {
  readonly status: CardStatus
  readonly count: number
  readonly value: string
  readonly expected: string
}

/** Returns the sums by status; `month`: first day of the month for the expected value. */
export async function statusSums(db: Queryable, asked: Asked, month: string): Promise<StatusSum[]> {
  const { rows } = await sql<StatusSum>`
    select m.status, sum(m.count)::int as count, sum(m.value)::text as value,
      coalesce(sum(m.value * s.chance / 100) filter (where m.month = ${month}::date), 0)::numeric(18, 2)::text as expected
    from (${sums(db, asked)}) m join pipeline_stages s on s.id = m.stage_id group by m.status`.execute(db)
  return rows
}
