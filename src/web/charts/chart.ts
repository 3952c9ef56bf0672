import type { ReactNode } from 'react'
import { lookUp } from '#domain/present.ts'
import { store, stored } from '#web/session/session.ts'

/** The kinds of chart, named as `dashboardChartPanels` stores them. */
export const CHARTS = ['bar', 'line', 'area', 'radar', 'donut', 'pie'] as const

/** Kind of a chart. */
export type ChartKind = (typeof CHARTS)[number]

/** Link of a mark: a screen with the filters that list the rows which the mark counts. */
export type Door = { path: string; search: Readonly<Record<string, unknown>> }

/** One line, area or colour of bars. */
export type Series = { key: string; label: string }

/** Point of the axis with a value for each series; `note` is shown below its bar in a ranking. */
export type Mark = {
  key: string
  label: string
  values: Readonly<Record<string, number>>
  note?: ReactNode
}

/** Data of a chart of any kind: `label` is its accessible name. */
export type ChartData = {
  label: string
  series: readonly Series[]
  marks: readonly Mark[]
  /** `days`: marks follow one another in time; `parts`: they add up to a whole, so shares are shown; `names`: they overlap. */
  axis: 'days' | 'parts' | 'names'
  format: (value: number) => string
  /** The rows that a mark counts; undefined when they cannot be listed. */
  doorOf: (mark: Mark, series: Series) => Door | undefined
}

type Choice = { key: string; chart?: ChartKind; isHidden?: boolean }

// Invalid kinds of chart are dropped: their panels use the default kind.
function choices(): Choice[] {
  const saved = stored<unknown>('dashboardChartPanels')
  const rows = Array.isArray(saved) ? saved.filter((row) => typeof row?.key === 'string') : []
  return rows.map(({ key, chart, isHidden }) => ({
    key,
    ...(CHARTS.includes(chart) ? { chart } : {}),
    ...(isHidden === true ? { isHidden } : {}),
  }))
}

const change = (rows: readonly Choice[], key: string, to: Partial<Choice>): Choice[] =>
  rows.some((row) => row.key === key)
    ? rows.map((row) => (row.key === key ? { ...row, ...to } : row))
    : [...rows, { key, ...to }]

/** Returns the chart that the user chose for a panel, else its default; stored in this browser as `dashboardChartPanels`. */
export const chartOf = (key: string, own: ChartKind): ChartKind =>
  choices().find((row) => row.key === key)?.chart ?? own

/** Stores the user's choice for a panel. */
export const saveChart = (key: string, chart: ChartKind): void =>
  store('dashboardChartPanels', change(choices(), key, { chart }))

/** Returns the panels of a screen in the user's order; panels in the screen's own order unless all were ordered. */
export function panelsOf(keys: readonly string[]): { key: string; isHidden: boolean }[] {
  const saved = choices()
  const positions = new Map(saved.filter((row) => keys.includes(row.key)).map(({ key }, index) => [key, index]))
  const isWhole = keys.every((key) => positions.has(key))
  const sorted = isWhole ? keys.toSorted((a, b) => lookUp(positions, a) - lookUp(positions, b)) : keys
  return sorted.map((key) => ({ key, isHidden: saved.find((row) => row.key === key)?.isHidden === true }))
}

/** Moves a panel one step back or forth among all of a screen's, and stores that order. */
export function movePanel(keys: readonly string[], key: string, step: -1 | 1): void {
  const at = keys.indexOf(key)
  const to = Math.min(keys.length - 1, Math.max(0, at + step))
  const order = keys.toSpliced(at, 1).toSpliced(to, 0, key)
  const saved = choices()
  const rest = saved.filter((row) => !order.includes(row.key))
  store('dashboardChartPanels', [...order.map((one) => saved.find((row) => row.key === one) ?? { key: one }), ...rest])
}

/** Shows or hides a panel of a screen, without moving it. */
export const showPanel = (key: string, isShown: boolean): void =>
  store('dashboardChartPanels', change(choices(), key, { isHidden: !isShown }))

/** Part of a whole: its share is 0 to 1. */
export type Part<Row> = { rows: readonly Row[]; count: number; share: number }

/** Returns the parts of a whole, the largest first: at most five, the smallest grouped in the last. */
export function partsOf<Row>(rows: readonly Row[], count: (row: Row) => number): Part<Row>[] {
  const sorted = rows.filter((row) => count(row) > 0).toSorted((a, b) => count(b) - count(a))
  const groups =
    sorted.length > 5 ? [...sorted.slice(0, 4).map((row) => [row]), sorted.slice(4)] : sorted.map((row) => [row])
  const total = sorted.reduce((sum, row) => sum + count(row), 0)
  return groups.map((group) => {
    const sum = group.reduce((all, row) => all + count(row), 0)
    return { rows: group, count: sum, share: sum / total }
  })
}

/** Returns the series of rows, the largest first: at most `most`, and the keys of those that are grouped in the last one. */
export function seriesOf(
  rows: readonly { key: string; label: string; qtd: number }[],
  most: number,
): { own: { key: string; label: string }[]; others: ReadonlySet<string> } {
  const sums = new Map<string, { key: string; label: string; qtd: number }>()
  for (const { key, label, qtd } of rows) sums.set(key, { key, label, qtd: (sums.get(key)?.qtd ?? 0) + qtd })
  const sorted = [...sums.values()].toSorted((a, b) => b.qtd - a.qtd).map(({ key, label }) => ({ key, label }))
  const own = sorted.length > most ? sorted.slice(0, most - 1) : sorted
  return { own, others: new Set(sorted.slice(own.length).map(({ key }) => key)) }
}

/** Returns the sum of a mark's values over all series. */
export const totalOf = (mark: Mark): number => Object.values(mark.values).reduce((sum, value) => sum + value, 0)

/** Formats a share from 0 to 1: “38%”. */
export const percent = (share: number): string => `${Math.round(100 * share)}%`

/** Returns the colour of the series, or part, at an index; repeats after the sixth. */
export const colorAt = (index: number): string => `var(--g-chart-${(index % 6) + 1})`
