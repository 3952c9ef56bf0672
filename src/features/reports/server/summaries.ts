import { type Figure, type Measure, NOTHING, plus } from '#domain/reports/measures.ts'
import { OTHER_SUMMARIES, SUMMARY_MEASURES, summed, TICKET_SUMMARIES, valuesOf } from '#domain/reports/summaries.ts'
import { sumsOfCards } from '#features/funnel/server/index.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Permission } from '#kit/permissions.ts'
import { whyRefused } from '#server/actors.ts'
import type { namedReports } from '../contract.ts'
import { ownOf, type Period, type ReportCtx, readFigures, requirePeriod } from './figures.ts'
import { both, filtered, withGroups } from './queries-filter.ts'
import { findNames } from './queries-rows.ts'
import { countBots, countDispatches } from './queries-summaries.ts'
import { periodFrom } from './rows.ts'

/** What a summary is asked for. */
export type SummaryQuery = Input<typeof namedReports.summaries>['query']
type Answer = Returned<typeof namedReports.summaries>
type Ticketed = keyof typeof TICKET_SUMMARIES
type Row = Answer['rows'][number]

const MOST_DISPATCHES = 500
const NEEDED: Partial<Record<SummaryQuery['report'], Permission>> = {
  campaigns: 'campaigns:write',
  funnel: 'funnel:read',
}

/** Figures of a period by one thing, each row with a total below; refused where the person may not read what it counts. */
export async function summarize(ctx: ReportCtx, { report, by, ...query }: SummaryQuery): Promise<Answer> {
  const period = periodFrom(query as never)
  requirePeriod(period)
  const needed = NEEDED[report]
  const refusal = needed && whyRefused(ctx.user, ctx.settings, needed)
  if (refusal) fail(refusal)
  if (report === 'sla' || report === 'ratings') return ofTickets(ctx, period, report, by ?? 'queue')
  const { from, before } = periodOf(ctx.settings.timezone, { from: period.from, to: period.to })
  const times = { from: from!, before: before! }
  if (report === 'bots') {
    const where = both(withGroups(period.groups), ownOf(ctx), filtered(period))
    const found = await countBots(ctx.db, { ...times, where })
    return others(
      'bots',
      found.map(({ key, label, ...counts }) => ({ key, label, counts, path: null })),
    )
  }
  if (report === 'campaigns') {
    const found = await countDispatches(ctx.db, { ...times, connections: period.connections }, MOST_DISPATCHES)
    return others(
      'campaigns',
      found.map(({ key, label, isCampaign, counts }) => ({
        ...{ key, label, path: isCampaign ? `/campanhas/${key}` : null },
        counts: recipientsOf(counts),
      })),
    )
  }
  const cards = await sumsOfCards(ctx, times, by === 'user' ? 'owner' : 'stage')
  return others(
    'funnel',
    cards.map(({ key, label, ...counts }) => ({ key, label, counts, path: null })),
  )
}

// Who has read it has got it, and who got it was sent it.
function recipientsOf({
  sent = 0,
  delivered = 0,
  read = 0,
  failed = 0,
  uncertain = 0,
  ...rest
}: Record<string, number>) {
  const { waiting = 0, queued = 0, skipped = 0, replied = 0, optedOut = 0 } = rest
  const left = sent + delivered + read + uncertain
  return {
    contacts: left + failed + waiting + queued + skipped,
    ...{ sent: left, delivered: delivered + read, read, replied, failed, skipped, optedOut },
  }
}

type Counted = { key: string; label: string; path: string | null; counts: Record<string, number> }

const others = (report: keyof typeof OTHER_SUMMARIES, rows: readonly Counted[]): Answer => ({
  columns: OTHER_SUMMARIES[report].map((column) => ({ ...column, opens: null })),
  rows: rows.map(({ counts, ...row }) => ({ ...row, values: valuesOf(report, counts) })),
  total: valuesOf(report, summed(rows.map(({ counts }) => counts))),
  by: null,
})

async function ofTickets(
  ctx: ReportCtx,
  period: Period,
  report: Ticketed,
  by: NonNullable<SummaryQuery['by']>,
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

/** What a row is called: its name, or that it has none. */
export const rowName = ({ label, key }: Pick<Row, 'label' | 'key'>, by: Answer['by']): string =>
  key === '' ? `Sem ${by === 'user' ? 'responsável' : by === 'reason' ? 'motivo' : 'fila'}` : label
