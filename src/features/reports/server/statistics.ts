import { daysBetween, periodBefore, weekdayOf } from '#domain/reports/days.ts'
import { type Figure, type Measure, NOTHING, numberOf, plus, type Split } from '#domain/reports/measures.ts'
import { periodOf } from '#features/tickets/server/list/index.ts'
import type { Returned } from '#kit/contract.ts'
import { implement } from '#server/http/route.ts'
import { type Interval, statistics } from '../contract.ts'
import { isWideFor, type Period, type ReportCtx, readFigures, requirePeriod } from './figures.ts'
import type { DayFigure } from './queries-facts.ts'
import { isFiltered } from './queries-filter.ts'
import { countEnds, countNewContacts, findNames } from './queries-rows.ts'
import { endedIn, periodFrom } from './rows.ts'

type Totals = Returned<typeof statistics.times>['previous']

const TOTALS = [
  ...(['tickets', 'active', 'receptive', 'tma', 'tme', 'firstAnswer'] as const),
  ...(['slaMet', 'slaMissed', 'rating', 'asked', 'byBot', 'value'] as const),
]
const OF_PEOPLE = ['tickets', 'open', 'pending', 'closed', 'tma', 'tme', 'firstAnswer', 'rating'] as const

/** Groups figures by key and sums them by measure. */
function added<K extends string>(figures: readonly DayFigure[], keyOf: (figure: DayFigure) => K) {
  const groups = new Map<K, Map<Measure, Figure>>()
  for (const figure of figures) {
    const group = groups.get(keyOf(figure)) ?? new Map<Measure, Figure>()
    groups.set(keyOf(figure), group.set(figure.measure, plus(group.get(figure.measure) ?? NOTHING, figure)))
  }
  return groups
}

const figureIn = (group: ReadonlyMap<Measure, Figure> | undefined, measure: Measure): Figure =>
  group?.get(measure) ?? NOTHING

/** Counts tickets per key of a split, most first. */
async function counted(ctx: ReportCtx, period: Period, split: Split): Promise<{ key: string; qtd: number }[]> {
  const groups = added(await readFigures(ctx, period, { splits: [split], measures: ['tickets'] }), ({ key }) => key)
  return [...groups]
    .map(([key, group]) => ({ key, qtd: figureIn(group, 'tickets').count }))
    .toSorted((a, b) => b.qtd - a.qtd || a.key.localeCompare(b.key))
}

/** Converts a mean in ms to hours, minutes, seconds and milliseconds. */
function intervalOf(measure: Measure, group: ReadonlyMap<Measure, Figure> | undefined): Interval {
  const mean = numberOf(measure, figureIn(group, measure))
  if (mean === null) return null
  const ms = Math.round(mean)
  return {
    hours: Math.floor(ms / 3_600_000),
    minutes: Math.floor(ms / 60_000) % 60,
    seconds: Math.floor(ms / 1000) % 60,
    milliseconds: ms % 1000,
  }
}

function totalsOf(group: ReadonlyMap<Measure, Figure> | undefined, newContacts: number | null): Totals {
  const of = (measure: Measure) => figureIn(group, measure)
  return {
    qtd_total_atendimentos: of('tickets').count,
    qtd_demanda_ativa: of('active').count,
    qtd_demanda_receptiva: of('receptive').count,
    new_contacts: newContacts,
    tma: intervalOf('tma', group),
    tme: intervalOf('tme', group),
    first_response: intervalOf('firstAnswer', group),
    sla_met: of('slaMet').count,
    sla_missed: of('slaMissed').count,
    rating: numberOf('rating', of('rating')),
    rated: of('rating').count,
    asked: of('asked').count,
    by_bot: of('byBot').count,
    value: (of('value').total / 100).toFixed(2),
  }
}

/** Returns the totals of a period, and of each of its days. */
async function periodTotals(ctx: ReportCtx, period: Period) {
  const zone = ctx.settings.timezone
  const figures = await readFigures(ctx, period, { splits: ['total'], measures: TOTALS })
  const { from, before } = periodOf(zone, { from: period.from, to: period.to })
  // Contacts have no queue: they are counted only without a filter.
  const isAll = isWideFor(ctx) && !isFiltered(period)
  const contacts = isAll ? await countNewContacts(ctx.db, { from: from!, before: before!, zone }) : null
  const byDay = added(figures, ({ day }) => day)
  const sum = contacts && [...contacts.values()].reduce((all, one) => all + one, 0)
  return {
    totals: totalsOf(added(figures, () => 'all').get('all'), sum),
    days: daysBetween(period.from, period.to).map((day) => ({
      dt_ref: day,
      ...totalsOf(byDay.get(day), contacts && (contacts.get(day) ?? 0)),
    })),
  }
}

const idOf = (key: string): number | null => (key === '' ? null : Number(key))

async function named(ctx: ReportCtx, period: Period, split: 'queue' | 'user' | 'connection' | 'reason') {
  const names = await findNames(ctx.db, split)
  return (await counted(ctx, period, split)).map(({ key, qtd }) => ({
    id: idOf(key),
    label: names.get(key)?.name ?? null,
    qtd,
  }))
}

async function byDay(ctx: ReportCtx, period: Period, split: 'channel' | 'connection') {
  const figures = await readFigures(ctx, period, { splits: [split], measures: ['tickets'] })
  return [...added(figures, ({ day, key }) => `${day} ${key}`)]
    .map(([at, group]) => {
      const [day = '', ...key] = at.split(' ')
      return { dt_ref: day, key: key.join(' '), qtd: figureIn(group, 'tickets').count }
    })
    .toSorted((a, b) => a.dt_ref.localeCompare(b.dt_ref) || a.key.localeCompare(b.key))
}

/** Returns the statistics of a period by user, most tickets first; null is unassigned. */
export async function peopleOf(ctx: ReportCtx, period: Period) {
  const names = await findNames(ctx.db, 'user')
  const figures = await readFigures(ctx, period, { splits: ['user'], measures: OF_PEOPLE })
  return [...added(figures, ({ key }) => key)]
    .map(([key, group]) => ({
      id: idOf(key),
      name: names.get(key)?.name ?? null,
      email: names.get(key)?.email ?? null,
      qtd_pendentes: figureIn(group, 'pending').count,
      qtd_em_atendimento: figureIn(group, 'open').count,
      qtd_resolvidos: figureIn(group, 'closed').count,
      qtd_por_usuario: figureIn(group, 'tickets').count,
      tma: intervalOf('tma', group),
      tme: intervalOf('tme', group),
      first_response: intervalOf('firstAnswer', group),
      rating: numberOf('rating', figureIn(group, 'rating')),
      rated: figureIn(group, 'rating').count,
    }))
    .toSorted((a, b) => b.qtd_por_usuario - a.qtd_por_usuario || (a.name ?? '').localeCompare(b.name ?? '', 'pt-BR'))
}

/** Route handlers of the dashboard's period. */
export const statisticsRoutes = implement(statistics, {
  times: async (ctx, { query }) => {
    const period = periodFrom(query)
    requirePeriod(period)
    const { totals, days } = await periodTotals(ctx, period)
    const { totals: previous } = await periodTotals(ctx, { ...period, ...periodBefore(period.from, period.to) })
    const scope = isWideFor(ctx) ? 'all' : ctx.user.profile === 'user' ? 'own' : 'seen'
    return { ...totals, scope, previous, days }
  },
  channels: async (ctx, { query }) =>
    (await counted(ctx, periodFrom(query), 'channel')).map(({ key, qtd }) => ({ label: key, qtd })),
  queue: (ctx, { query }) => named(ctx, periodFrom(query), 'queue'),
  user: async (ctx, { query }) =>
    (await named(ctx, periodFrom(query), 'user')).map(({ id, label, qtd }) => ({ id, name: label, qtd })),
  status: async (ctx, { query }) =>
    (await counted(ctx, periodFrom(query), 'status')).map(({ key, qtd }) => ({ status: key as 'open', qtd })),
  reasons: (ctx, { query }) => named(ctx, periodFrom(query), 'reason'),
  hours: async (ctx, { query }) => {
    const figures = await readFigures(ctx, periodFrom(query), { splits: ['hour'], measures: ['tickets'] })
    return [...added(figures, ({ day, key }) => `${weekdayOf(day)} ${key}`)]
      .map(([at, group]) => {
        const [weekday = 0, hour = 0] = at.split(' ').map(Number)
        return { weekday, hour, qtd: figureIn(group, 'tickets').count }
      })
      .toSorted((a, b) => a.weekday - b.weekday || a.hour - b.hour)
  },
  evolutionChannels: async (ctx, { query }) =>
    (await byDay(ctx, periodFrom(query), 'channel')).map(({ dt_ref, key, qtd }) => ({ dt_ref, label: key, qtd })),
  evolutionChannelsName: async (ctx, { query }) => {
    const names = await findNames(ctx.db, 'connection')
    return (await byDay(ctx, periodFrom(query), 'connection')).map(({ dt_ref, key, qtd }) => ({
      dt_ref,
      id: idOf(key),
      label: names.get(key)?.name ?? null,
      qtd,
    }))
  },
  evolutionByPeriod: async (ctx, { query }) => {
    const period = periodFrom(query)
    const { days } = await daily(ctx, period, 'tickets')
    const ends = await countEnds(ctx.db, endedIn(ctx, period), ctx.settings.timezone)
    return days.map(({ dt_ref, figure }) => ({
      dt_ref,
      label: dt_ref,
      qtd: figure.count,
      resolved: ends.get(dt_ref) ?? 0,
    }))
  },
  evolutionByValue: async (ctx, { query }) =>
    (await daily(ctx, periodFrom(query), 'value')).days.map(({ dt_ref, figure }) => ({
      dt_ref,
      label: dt_ref,
      value: (figure.total / 100).toFixed(2),
    })),
  perUsersDetail: (ctx, { query }) => peopleOf(ctx, periodFrom(query)),
})

async function daily(ctx: ReportCtx, period: Period, measure: Measure) {
  const groups = added(await readFigures(ctx, period, { splits: ['total'], measures: [measure] }), ({ day }) => day)
  const days = daysBetween(period.from, period.to)
  return { days: days.map((day) => ({ dt_ref: day, figure: figureIn(groups.get(day), measure) })) }
}
