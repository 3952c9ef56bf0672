import { dayAfter } from '#domain/reports/days.ts'
import { definitionOf } from '#domain/reports/measures.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { reports } from '../contract.ts'
import { countingOf, MOST_DAYS, ownOf, type Period, type ReportCtx, requirePeriod, ticketsOf } from './figures.ts'
import { among, beganAt, type Condition, ended } from './queries-facts.ts'
import { both, filtered, withGroups } from './queries-filter.ts'
import { countRows, pageOfRows } from './queries-rows.ts'

/** Query of a report's tickets. */
export type RowsQuery = Input<typeof reports.rows>['query']

/** Extracts the period and filter of a query. */
export const periodFrom = ({
  startDate: from,
  endDate: to,
  userId: users,
  channel: channels,
  whatsappId: connections,
  ...rest
}: Omit<RowsQuery, 'measure' | 'by' | 'cursor'>): Period => ({ from, to, users, channels, connections, ...rest })

/** Returns the SQL conditions of a query's visible tickets, one per index. */
export function partsOf(ctx: ReportCtx, { measure, by, hour, weekday, ...asked }: RowsQuery): Condition[] {
  const zone = ctx.settings.timezone
  const period = periodFrom(asked)
  requirePeriod(period)
  const parts =
    by === 'closedAt'
      ? [endedIn(ctx, period)]
      : (['closed', 'live'] as const).map((part) => ticketsOf(ctx, period, part))
  return parts.map((part) =>
    both(
      part,
      among(measure),
      hour === undefined ? null : beganAt(zone, 'hour', hour),
      weekday === undefined ? null : beganAt(zone, 'weekday', weekday),
    ),
  )
}

/** SQL condition of the tickets closed in a period, within the user's figures. */
export function endedIn(ctx: ReportCtx, period: Period): Condition {
  const { from, before } = periodOf(ctx.settings.timezone, { from: period.from, to: period.to })
  return both(ended(from!, before!), withGroups(period.groups), ownOf(ctx), filtered(period))
}

/** Returns what is counted per ticket of a query, and how. */
export async function countedOf(ctx: ReportCtx, { measure, by, startDate, times }: RowsQuery) {
  const { amount = null } = definitionOf(measure)
  // Tickets closed in a period may have been created long before.
  const from = by === 'closedAt' ? dayAfter(startDate, -MOST_DAYS) : startDate
  return { amount, counting: await countingOf(ctx, { from, times }) }
}

/** Returns a page of the tickets behind a number; the first page has the total number. */
export async function listRows(ctx: ReportCtx, query: RowsQuery): Promise<Returned<typeof reports.rows>> {
  const parts = partsOf(ctx, query)
  const start = exactPageStartOf<[number, number]>({ pageNumber: 1, cursor: query.cursor }, 2)
  const { rows, paging } = pageOf(await pageOfRows(ctx.db, parts, start, await countedOf(ctx, query)), (row) => [
    row.position,
    row.id,
  ])
  const count = start.after ? rows.length : await countRows(ctx.db, parts)
  return { tickets: rows.map(({ position: _, ...row }) => row), count, countIsCapped: false, ...paging }
}
