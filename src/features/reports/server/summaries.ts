import { daysBetween } from '#domain/reports/days.ts'
import { type Figure, type Measure, NOTHING, plus } from '#domain/reports/measures.ts'
import {
  type Counts,
  OTHER_SUMMARIES,
  type Other,
  SUMMARY_MEASURES,
  summed,
  TICKET_SUMMARIES,
  valuesOf,
} from '#domain/reports/summaries.ts'
import { cardsOfSum, sumsOfCards } from '#features/funnel/server/index.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Permission } from '#kit/permissions.ts'
import { whyRefused } from '#server/actors.ts'
import { pageOf, pageStartOf } from '#server/paging.ts'
import type { namedReports } from '../contract.ts'
import { ownOf, type Period, type ReportCtx, readFigures, requirePeriod } from './figures.ts'
import { both, filtered, withGroups } from './queries-filter.ts'
import { findNames } from './queries-rows.ts'
import {
  type BotsAsked,
  botRows,
  countBots,
  countDetails,
  countDispatches,
  type DispatchesAsked,
  type PresenceAsked,
  pageOfDetails,
  presenceRows,
  recipientRows,
  sumPresence,
} from './queries-summaries.ts'
import { periodFrom } from './rows.ts'

/** Query of a summary. */
export type SummaryQuery = Input<typeof namedReports.summaries>['query']
type DetailsQuery = Input<typeof namedReports.details>['query']
type Answer = Returned<typeof namedReports.summaries>
type Ticketed = keyof typeof TICKET_SUMMARIES
type Row = Answer['rows'][number]

const NEEDED: Partial<Record<SummaryQuery['report'], Permission>> = {
  campaigns: 'campaigns:write',
  funnel: 'funnel:read',
}

function requireReader(ctx: ReportCtx, report: SummaryQuery['report']): void {
  const needed = NEEDED[report]
  const refusal = needed && whyRefused(ctx.user, ctx.settings, needed)
  if (refusal) fail(refusal)
}

/** Returns the figures of a period in rows of one split, with a total; throws if the user may not read what is counted. */
export async function summarize(ctx: ReportCtx, { report, by, ...query }: SummaryQuery): Promise<Answer> {
  const period = periodFrom(query as never)
  requirePeriod(period)
  requireReader(ctx, report)
  if (report === 'sla' || report === 'ratings') return ofTickets(ctx, period, report, by && by !== 'day' ? by : 'queue')
  if (report === 'funnel') {
    const cards = await sumsOfCards(ctx, timesOf(ctx, period), by === 'user' ? 'owner' : 'stage')
    return others(report, cards)
  }
  if (report === 'bots') return others(report, await countBots(ctx.db, botsAsked(ctx, period)))
  if (report === 'presence') return others(report, await sumPresence(ctx.db, presenceAsked(ctx, period, by)))
  const found = await countDispatches(ctx.db, dispatchesAsked(ctx, period))
  return others(report, found, ({ key, isCampaign }) => (isCampaign ? `/campanhas/${key}` : null))
}

function timesOf({ settings }: ReportCtx, days: Pick<Period, 'from' | 'to'>): { from: Date; before: Date } {
  const { from, before } = periodOf(settings.timezone, { from: days.from, to: days.to })
  return { from: from!, before: before! }
}
const botsAsked = (ctx: ReportCtx, period: Period): BotsAsked => ({
  ...timesOf(ctx, period),
  where: both(withGroups(period.groups), ownOf(ctx), filtered(period)),
})
const dispatchesAsked = (ctx: ReportCtx, period: Period): DispatchesAsked => ({
  ...timesOf(ctx, period),
  connections: period.connections,
})
function presenceAsked(ctx: ReportCtx, period: Period, by: SummaryQuery['by']): PresenceAsked {
  const { from, to, users = [] } = period
  const runs = by === 'day' ? daysBetween(from, to).map((day) => ({ from: day, to: day })) : [{ from, to }]
  return {
    by: by === 'day' ? 'day' : 'user',
    days: runs.map((run) => ({ day: run.from, ...timesOf(ctx, run) })),
    userIds: users.filter((id) => id !== 'none'),
    now: ctx.now,
  }
}

const others = <R extends { key: string; label: string }>(
  report: Other,
  rows: readonly R[],
  pathOf: (row: R) => string | null = () => null,
): Answer => {
  const counted = rows.map(({ key: _, label: __, ...counts }) => counts as unknown as Counts)
  return {
    columns: OTHER_SUMMARIES[report].map((column) => ({ ...column, opens: null })),
    rows: rows.map((row, index) => ({
      ...{ key: row.key, label: row.label, path: pathOf(row) },
      values: valuesOf(report, counted[index]!),
    })),
    total: valuesOf(report, summed(counted)),
    by: null,
  }
}

/** Returns a page of the rows behind a number of a summary, latest first; the first page has the total number. */
export async function detailsOf(ctx: ReportCtx, query: DetailsQuery): Promise<Returned<typeof namedReports.details>> {
  const { report, by, column, key, cursor, ...rest } = query
  const period = periodFrom(rest as never)
  requirePeriod(period)
  requireReader(ctx, report)
  if (report === 'funnel') {
    const { cards, count, ...paging } = await cardsOfSum(
      ctx,
      { ...timesOf(ctx, period), key, column, cursor },
      by === 'user' ? 'owner' : 'stage',
    )
    const rows = cards.map(({ id, name, contact, status, value, createdAt }) => ({
      ...{ id: String(id), name: `${name} · ${contact.name}`, number: contact.number, state: status, at: createdAt },
      ...{ until: null, value, path: `/funil/kanban?id=${id}` },
    }))
    return { rows, count, countIsCapped: false, ...paging }
  }
  const number = { column, key }
  const found =
    report === 'bots'
      ? botRows(botsAsked(ctx, period), number)
      : report === 'campaigns'
        ? recipientRows(dispatchesAsked(ctx, period), number)
        : presenceRows(presenceAsked(ctx, period, by), number)
  if (!found) return fail('ERR_VALIDATION', { column: 'Esta coluna não existe.' })
  const start = pageStartOf<[number, string]>({ pageNumber: 1, cursor }, 2)
  const { rows, paging } = pageOf(await pageOfDetails(ctx.db, found, start), ({ position, id }) => [position, id])
  const count = start.after ? rows.length : await countDetails(ctx.db, found)
  return {
    rows: rows.map(({ position: _, ...row }) => ({ ...row, value: null })),
    count,
    countIsCapped: false,
    ...paging,
  }
}

async function ofTickets(
  ctx: ReportCtx,
  period: Period,
  report: Ticketed,
  by: Exclude<SummaryQuery['by'], 'day' | undefined>,
): Promise<Answer> {
  const figures = await readFigures(ctx, period, { splits: [by], measures: [...SUMMARY_MEASURES[report]] })
  const names = by === 'channel' ? null : await findNames(ctx.db, by)
  const columns = TICKET_SUMMARIES[report]
  const valuesIn = (group: ReadonlyMap<Measure, Figure>) =>
    columns.map(({ of }) => of((measure) => group.get(measure) ?? NOTHING))
  const groupOf = (some: typeof figures) => {
    const group = new Map<Measure, Figure>()
    for (const one of some) group.set(one.measure, plus(group.get(one.measure) ?? NOTHING, one))
    return group
  }
  const rows = [...Map.groupBy(figures, ({ key }) => key)].map(([key, some]): Row => {
    const label = key === '' ? '' : (names?.get(key)?.name ?? key)
    return { key, label, path: null, values: valuesIn(groupOf(some)) }
  })
  return {
    columns: columns.map(({ key, title, unit, opens = null }) => ({ key, title, unit, opens })),
    rows: rows.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0) || a.label.localeCompare(b.label, 'pt-BR')),
    total: valuesIn(groupOf(figures)),
    by,
  }
}

/** Returns the label of a row, or that it has no value. */
export const rowName = ({ label, key }: Pick<Row, 'label' | 'key'>, by: Answer['by']): string =>
  key === '' ? `Sem ${by === 'user' ? 'responsável' : by === 'reason' ? 'motivo' : 'fila'}` : label
