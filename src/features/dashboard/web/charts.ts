import { store, stored } from '#web/session/session.ts'

/** The kinds of chart of a panel. */
export const CHARTS = ['bar', 'donut'] as const

/** How a panel draws its rows. */
export type Chart = (typeof CHARTS)[number]

type Choice = { key: string; chart: Chart }

const choices = (): Choice[] => {
  const saved = stored<unknown>('dashboardChartPanels')
  return Array.isArray(saved) ? saved.filter((row): row is Choice => CHARTS.includes(row?.chart)) : []
}

/** The chart that the person chose for a panel, else its own; kept in this browser as `dashboardChartPanels`. */
export const chartOf = (key: string, own: Chart): Chart => choices().find((row) => row.key === key)?.chart ?? own

/** Keeps the person's choice for a panel. */
export const saveChart = (key: string, chart: Chart): void =>
  store('dashboardChartPanels', [...choices().filter((row) => row.key !== key), { key, chart }])

/** A part of a ring: share of the whole and where it begins, both 0 to 1. */
export type Part<Row> = { rows: readonly Row[]; count: number; share: number; from: number }

/** The parts of a ring, the largest first: at most five, the smallest together in the last (visual language §14). */
export function partsOf<Row>(rows: readonly Row[], count: (row: Row) => number): Part<Row>[] {
  const sorted = rows.filter((row) => count(row) > 0).toSorted((a, b) => count(b) - count(a))
  const groups =
    sorted.length > 5 ? [...sorted.slice(0, 4).map((row) => [row]), sorted.slice(4)] : sorted.map((row) => [row])
  const total = sorted.reduce((sum, row) => sum + count(row), 0)
  let before = 0
  return groups.map((group) => {
    const sum = group.reduce((all, row) => all + count(row), 0)
    const part = { rows: group, count: sum, share: sum / total, from: before / total }
    before += sum
    return part
  })
}
