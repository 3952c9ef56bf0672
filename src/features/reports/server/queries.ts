import { sql } from 'kysely'
import type { BusinessDay } from '#domain/calendar/business-hours.ts'
import type { Difference, Measure, Split, StoredFigure } from '#domain/reports/measures.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { type DayFigure, LIVE } from './queries-facts.ts'

/** State of stored figures: time up to which changes are included, and result of the last proof. */
export type ReportState = {
  checkedAt: Date
  provedAt: Date | null
  provedDays: number
  provedFigures: number
  differences: Difference[]
}

/** Returns the state of a company's stored figures; undefined before the first. */
export async function findState(db: Queryable): Promise<ReportState | undefined> {
  const { rows } = await sql<ReportState>`
    select checked_at as "checkedAt", proved_at as "provedAt", proved_days as "provedDays",
      proved_figures as "provedFigures", differences from report_state`.execute(db)
  return rows[0]
}

/** Locks and returns the state until the end of the transaction, creating it if missing. */
export async function lockState(db: Tx, now: Date): Promise<ReportState> {
  await sql`insert into report_state (tenant_id, checked_at) values (app.tenant(), ${now}) on conflict do nothing`.execute(
    db,
  )
  await sql`select from report_state for update`.execute(db)
  return (await findState(db))!
}

/** Stores the time up to which changes are included, and deletes recorded changes before a moment. */
export async function saveChecked(db: Tx, checkedAt: Date, before: Date): Promise<void> {
  await sql`update report_state set checked_at = ${checkedAt} where tenant_id = app.tenant()`.execute(db)
  await sql`delete from report_changes where at < ${before}`.execute(db)
}

/** Stores the result of a proof. */
export async function saveProof(
  db: Tx,
  { at, days, figures, differences }: { at: Date; days: number; figures: number; differences: readonly Difference[] },
): Promise<void> {
  await sql`update report_state set proved_at = ${at}, proved_days = ${days}, proved_figures = ${figures},
    differences = ${JSON.stringify(differences)}::jsonb where tenant_id = app.tenant()`.execute(db)
}

/** Returns the days of a period that are stored with the current definitions. */
export async function storedDays(db: Queryable, version: string, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text as day from report_days
    where version = ${version} and day between ${from}::date and ${to}::date`.execute(db)
  return rows.map(({ day }) => day)
}

/** Returns the day of the company's first ticket, in its time zone; undefined without any. */
export async function firstDay(db: Queryable, zone: string): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select (least(
      (select created_at from tickets where status = 'closed' order by created_at limit 1),
      (select min(tickets.created_at) from tickets where ${LIVE})
    ) at time zone ${zone})::date::text as day`.execute(db)
  return rows[0]?.day ?? undefined
}

/**
 * Returns the days whose tickets, or rows related to them, have changed since a moment. The upper bound tells the planner,
 * which does not know the moment, that the range is small; active and closed tickets have an index each.
 */
export async function changedDays(db: Queryable, since: Date, zone: string): Promise<string[]> {
  const recent = sql`updated_at >= ${since} and updated_at < 'infinity'`
  const { rows } = await sql<{ day: string }>`
    select distinct (began_at at time zone ${zone})::date::text as day from (
      select created_at as began_at from tickets where status = 'closed' and ${recent}
      union all select created_at from tickets where ${LIVE} and ${recent}
      union all select began_at from report_changes where at >= ${since}) changed`.execute(db)
  return rows.map(({ day }) => day)
}

/** Returns stored figures of measures by one split, over days, with or without groups. */
export async function findFigures(
  db: Queryable,
  asked: { days: readonly string[]; splits: readonly Split[]; measures: readonly Measure[]; groups: boolean },
): Promise<DayFigure[]> {
  if (asked.days.length === 0) return []
  const { rows } = await sql<DayFigure>`
    select day::text as day, measure, split, key, is_group as "isGroup", count, total from report_figures
    where split = any(${[...asked.splits]}::text[]) and measure = any(${[...asked.measures]}::text[])
      and day = any(${[...asked.days]}::date[]) ${asked.groups ? sql`` : sql`and not is_group`}`.execute(db)
  return rows
}

/** Returns all stored figures of a day. */
export async function figuresOf(db: Queryable, day: string): Promise<StoredFigure[]> {
  const { rows } = await sql<StoredFigure>`
    select measure, split, key, is_group as "isGroup", count, total from report_figures where day = ${day}::date`.execute(
    db,
  )
  return rows
}

/** Replaces the stored figures of days; writes only what differs. */
export async function storeDays(
  db: Tx,
  days: readonly string[],
  figures: readonly DayFigure[],
  version: string,
): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(figures)}::jsonb)
    as n (day date, measure text, split text, key text, "isGroup" boolean, count bigint, total bigint)`
  await sql`delete from report_figures f where f.tenant_id = app.tenant() and f.day = any(${[...days]}::date[])
    and not exists (select from ${given} where n.day = f.day and n.measure = f.measure and n.split = f.split
      and n.key = f.key and n."isGroup" = f.is_group)`.execute(db)
  await sql`insert into report_figures (tenant_id, day, measure, split, key, is_group, count, total)
    select app.tenant(), n.day, n.measure, n.split, n.key, n."isGroup", n.count, n.total from ${given}
    on conflict (tenant_id, split, measure, day, is_group, key) do update set count = excluded.count, total = excluded.total
    where (report_figures.count, report_figures.total) is distinct from (excluded.count, excluded.total)`.execute(db)
  await sql`insert into report_days (tenant_id, day, version)
    select app.tenant(), day, ${version} from unnest(${[...days]}::date[]) as day
    on conflict (tenant_id, day) do update set version = excluded.version`.execute(db)
}

/** Returns the business hours of queues with their own. */
export async function findQueueWeeks(db: Queryable): Promise<{ id: number; week: BusinessDay[] }[]> {
  const { rows } = await sql<{ id: number; week: BusinessDay[] }>`
    select id, business_hours as week from queues where jsonb_array_length(business_hours) > 0 order by id`.execute(db)
  return rows
}

/** Returns the active tenants, with the time of their last proof. */
export async function workingTenants(db: Queryable): Promise<{ id: number; provedAt: Date | null }[]> {
  const { rows } = await sql<{ id: number; provedAt: Date | null }>`
    select t.id, s.proved_at as "provedAt" from tenants t left join report_state s on s.tenant_id = t.id
    where t.status = 'active' order by t.id`.execute(db)
  return rows
}
