import { ALERTS, type Alert } from '#domain/funnel/alerts.ts'
import { type CardStatus, percentOf, STATUSES } from '#domain/funnel/card.ts'
import { centsOf, decimalOf, sumOf } from '#domain/funnel/money.ts'
import type { Returned } from '#kit/contract.ts'
import type { Handler } from '#server/http/route.ts'
import type { opportunities } from '../contract.ts'
import { namesOf, type Split, splitsOf } from './queries-dashboard.ts'
import { askedOf } from './view.ts'

type Answer = Returned<typeof opportunities.dashboard>

const countOf = (splits: readonly Split[]): number => splits.reduce((sum, { count }) => sum + count, 0)
type Total = { readonly count: number; readonly value: string }
const totalOf = (splits: readonly Split[]): Total => ({
  count: countOf(splits),
  value: sumOf(splits.map(({ value }) => value)),
})
const average = (splits: readonly Split[]): string | null => {
  const count = countOf(splits)
  return count === 0 ? null : decimalOf(centsOf(sumOf(splits.map(({ value }) => value))) / BigInt(count))
}

/** Route handler of the dashboard: figures and charts of the visible opportunities; all splits are of the same set. */
export const readDashboard: Handler<typeof opportunities.dashboard> = async (ctx, { query }) => {
  const { pipelineId, ...filter } = query
  const asked = await askedOf(ctx, filter, { pipelineId })
  const all = await splitsOf(ctx.db, asked, ctx.settings.timezone)
  const by = (way: string) => all.filter((split) => split.by === way)
  const owners = Map.groupBy(by('owner'), ({ ownerId }) => ownerId)
  const names = await namesOf(
    ctx.db,
    [...owners.keys()].filter((id) => id !== null),
  )
  const whole = by('owner')
  const ofStatus = (splits: readonly Split[], status: CardStatus) => splits.filter((split) => split.status === status)
  const [won, lost] = [ofStatus(whole, 'win'), ofStatus(whole, 'lose')]
  return {
    created: totalOf(whole),
    open: totalOf(ofStatus(whole, 'open')),
    won: totalOf(won),
    lost: totalOf(lost),
    winRate: percentOf(countOf(won), countOf(won) + countOf(lost)),
    average: average(won),
    owners: [...owners]
      .map(([id, splits]) => ({
        ...{ id, name: id === null ? null : (names.get(id) ?? ''), ...totalOf(splits) },
        won: countOf(ofStatus(splits, 'win')),
      }))
      .sort((a, b) => Number(b.value) - Number(a.value)),
    statuses: STATUSES.map((status) => ({ status, ...totalOf(ofStatus(whole, status)) })),
    months: monthsOf(by('made'), by('closed')),
    forecast: forecastOf(by('forecast')),
    alerts: ALERTS.map((alert) => ({ alert, ...alertOf(alert, by, totalOf(ofStatus(whole, 'open'))) })),
  }
}

/** Complement that is queried in place of each alert. */
const OTHERS: Partial<Readonly<Record<Alert, Split['by']>>> = { idle: 'moved', stale: 'fresh', taskless: 'tasked' }

function alertOf(alert: Alert, by: (way: string) => Split[], open: Total): Total {
  const others = OTHERS[alert]
  if (!others) return totalOf(by(alert))
  const { count, value } = totalOf(by(others))
  return { count: open.count - count, value: decimalOf(centsOf(open.value) - centsOf(value)) }
}

function monthsOf(made: readonly Split[], closed: readonly Split[]): Answer['months'] {
  const months = [...new Set([...made, ...closed].flatMap(({ month }) => month ?? []))].sort()
  return months.map((month) => {
    const at = (splits: readonly Split[], status?: CardStatus) =>
      splits.filter((split) => split.month === month && (status === undefined || split.status === status))
    return {
      month: month.slice(0, 7),
      created: countOf(at(made)),
      won: countOf(at(closed, 'win')),
      lost: countOf(at(closed, 'lose')),
      average: average(at(closed, 'win')),
    }
  })
}

// Cards without a forecast come last.
const forecastOf = (splits: readonly Split[]): Answer['forecast'] =>
  splits
    .toSorted((a, b) => ((a.month ?? '9') < (b.month ?? '9') ? -1 : 1))
    .map(({ month, count, value, expected }) => ({ month: month?.slice(0, 7) ?? null, count, value, expected }))
