import { t } from '#web/t.ts'
import { dayAfter } from './items.ts'

/** Views of the calendar. */
export const VIEWS = ['month', 'week', 'day', 'list'] as const

/** View of the calendar. */
export type View = (typeof VIEWS)[number]

const utc = (day: string) => new Date(`${day}T00:00Z`)
const firstOf = (day: string) => `${day.slice(0, 7)}-01`
const weekStart = (day: string) => dayAfter(day, -utc(day).getUTCDay())
const LIST_DAYS = 30

function addMonths(day: string, months: number): string {
  const date = utc(firstOf(day))
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** Returns the days that a view shows; six weeks for a month. */
export function rangeOf(view: View, day: string): { from: string; to: string } {
  if (view === 'day') return { from: day, to: day }
  if (view === 'week') return { from: weekStart(day), to: dayAfter(weekStart(day), 6) }
  if (view === 'list') return { from: day, to: dayAfter(day, LIST_DAYS - 1) }
  const from = weekStart(firstOf(day))
  return { from, to: dayAfter(from, 41) }
}

/** Returns the day of the previous (-1) or next (1) view. */
export function stepOf(view: View, day: string, way: -1 | 1): string {
  if (view === 'day') return dayAfter(day, way)
  if (view === 'week') return dayAfter(day, 7 * way)
  return view === 'list' ? dayAfter(day, LIST_DAYS * way) : addMonths(day, way)
}

const show = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('pt-BR', { timeZone: 'UTC', ...options }).format(utc(day))
const short = (day: string) => show(day, { day: 'numeric', month: 'short' }).replace('.', '')

/** Formats the title of a view: “novembro de 2026”. */
export function titleOf(view: View, day: string): string {
  if (view === 'day') return show(day, { weekday: 'long', day: 'numeric', month: 'long' })
  if (view === 'month') return show(day, { month: 'long', year: 'numeric' })
  const { from, to } = rangeOf(view, day)
  return t('{from} a {to}', { from: short(from), to: short(to) })
}

/** Formats a day: “seg., 30 de novembro”. */
export const dayTitle = (day: string): string =>
  show(day.slice(0, 10), { weekday: 'long', day: 'numeric', month: 'long' })
