import { seesWide } from '#domain/access/profiles.ts'
import { dayIn } from '#domain/calendar/local-time.ts'
import { openTime } from '#domain/calendar/open-time.ts'
import { dayAfter, daysBetween, runsOf } from '#domain/reports/days.ts'
import { isTime, type Measure, type Split, versionOf } from '#domain/reports/measures.ts'
import type { TimeSwitch } from '#domain/reports/switches.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import { companyHours } from '#server/company-hours.ts'
import type { ReadCtx } from '#server/context.ts'
import { changedDays, findFigures, findQueueWeeks, findState, storedDays } from './queries.ts'
import { addUp, begun, type Condition, type Counting, type DayFigure, type Part, WHOLE } from './queries-facts.ts'
import { anyOf, both, type Filter, filtered, isFiltered, ofUser, withGroups } from './queries-filter.ts'

/** Context of report reads. */
export type ReportCtx = ReadCtx & { user: Actor }

/** Period of days, both included, with or without group conversations, narrowed by a filter; `times` are time switches. */
export type Period = {
  readonly from: string
  readonly to: string
  readonly groups?: boolean | undefined
  readonly times?: readonly TimeSwitch[] | undefined
} & Filter

/** Maximum length of a report's period, in days. */
export const MOST_DAYS = 400
/** Overlap of change detection in ms: changes of late-committed transactions are found by looking further back. */
export const OVERLAP_MS = 120_000

/** Checks whether a user's figures cover the whole company. */
export const isWideFor = ({ user, settings }: Pick<ReportCtx, 'user' | 'settings'>): boolean =>
  seesWide(user, isOn(settings, 'supervisorAdmin'))

/** SQL condition of the tickets that a user's figures cover: all (null), those visible to a supervisor, or an agent's own. */
export function ownOf(ctx: Pick<ReportCtx, 'user' | 'settings'>): Condition | null {
  if (isWideFor(ctx)) return null
  return ctx.user.profile === 'user' ? ofUser(ctx.user.id) : visibleSql(ctx.user, ctx.settings)
}

/** Throws for a period that ends before it starts. */
export function requireOrder({ startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined }) {
  if (startDate && endDate && endDate < startDate)
    fail('ERR_VALIDATION', { endDate: 'O fim do período vem antes do começo.' })
}

/** Throws for an inverted period, or one that is too long. */
export function requirePeriod({ from, to }: Pick<Period, 'from' | 'to'>): void {
  requireOrder({ startDate: from, endDate: to })
  if (dayAfter(from, MOST_DAYS) < to) fail('ERR_VALIDATION', { endDate: `Peça no máximo ${MOST_DAYS} dias.` })
}

/** SQL condition of the tickets of a period within a user's figures, or of a part of them. */
export function ticketsOf(ctx: ReportCtx, period: Period, part?: Part): Condition {
  const { from, before } = periodOf(ctx.settings.timezone, { from: period.from, to: period.to })
  return both(begun(from!, before!, part), withGroups(period.groups), ownOf(ctx), filtered(period))
}

/** Returns how time measures count; for open hours loads those from the period's start until now. */
export async function countingOf(
  ctx: ReportCtx,
  { from: day, times = [] }: Pick<Period, 'from' | 'times'>,
): Promise<Counting> {
  if (times.length === 0) return WHOLE
  if (!times.includes('openHours')) return { switches: times, open: null }
  const { week, holidays } = companyHours(ctx.settings)
  const zone = ctx.settings.timezone
  const { from } = periodOf(zone, { from: day, to: day })
  const rangesOf = (hours: typeof week) => {
    const periods = openTime({ week: hours, holidays, zone }).periods(from!.getTime(), ctx.now.getTime())
    return `{${periods.map(([start, end]) => `[${new Date(start).toISOString()},${new Date(end).toISOString()})`).join(',')}}`
  }
  const queues = (await findQueueWeeks(ctx.db)).map(({ id, week: own }) => [id, rangesOf(own)] as const)
  return { switches: times, open: { company: rangesOf(week), queues: new Map(queues) } }
}

/**
 * Returns figures of a period by day and split key. Past unchanged days come from the stored figures if the whole company is
 * requested; everything else is computed from tickets, as are time measures with switches.
 */
export async function readFigures(
  ctx: ReportCtx,
  period: Period,
  asked: { splits: readonly Split[]; measures: readonly Measure[] },
): Promise<DayFigure[]> {
  requirePeriod(period)
  const { db, settings } = ctx
  const zone = settings.timezone
  if (period.times?.length) {
    const [timed, counted] = [asked.measures.filter(isTime), asked.measures.filter((one) => !isTime(one))]
    const { times: _, ...whole } = period
    const others = counted.length > 0 ? await readFigures(ctx, whole, { ...asked, measures: counted }) : []
    if (timed.length === 0) return others
    const where = ticketsOf(ctx, period)
    const counting = await countingOf(ctx, period)
    return [...others, ...(await addUp(db, { where, zone, splits: asked.splits, measures: timed, counting }))]
  }
  const days = daysBetween(period.from, period.to)
  const current = isWideFor(ctx) && !isFiltered(period) ? await currentDays(ctx, period) : new Set<string>()
  const stored = days.filter((day) => current.has(day))
  const live = runsOf(days.filter((day) => !current.has(day)))
  const figures = await findFigures(db, { ...asked, days: stored, groups: period.groups ?? false })
  if (live.length === 0) return figures
  const where = anyOf(live.map((run) => ticketsOf(ctx, { ...period, ...run })))
  return [...figures, ...(await addUp(db, { where, zone, ...asked }))]
}

/** Returns the days of a period whose stored figures are up to date. */
async function currentDays({ db, settings, now }: ReportCtx, { from, to }: Period): Promise<Set<string>> {
  const zone = settings.timezone
  const state = await findState(db)
  if (!state) return new Set()
  const yesterday = dayAfter(dayIn(zone, now.getTime()), -1)
  const current = new Set(await storedDays(db, versionOf(zone), from, to < yesterday ? to : yesterday))
  for (const day of await changedDays(db, new Date(state.checkedAt.getTime() - OVERLAP_MS), zone)) current.delete(day)
  return current
}
