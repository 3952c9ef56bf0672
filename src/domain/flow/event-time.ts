import type { EventSpan } from '../calendar/events.ts'
import { dateOf, dayIn, isoDay, momentOf } from '../calendar/local-time.ts'

/** Time of a calendar event as texts with variables filled in; `days` count from the day of execution. */
export type EventTime = {
  readonly type: 'today' | 'tomorrow' | 'days_from_interaction' | 'custom'
  readonly days: number
  readonly start: string
  readonly end: string
}

const HOUR_MS = 3_600_000
const ISO = /(\d{4})-(\d{2})-(\d{2})/
const BRAZILIAN = /(\d{1,2})\/(\d{1,2})\/(\d{4})/
const CLOCK = /(?:^|[T\s])(\d{1,2})(?::|h)(\d{2})?/

/** Parses a day to `YYYY-MM-DD`; null if invalid. */
function dayOf(text: string): string | null {
  const iso = ISO.exec(text)
  const local = iso ? null : BRAZILIAN.exec(text)
  const [year = Number.NaN, month = Number.NaN, day] = iso
    ? iso.slice(1).map(Number)
    : [local?.[3], local?.[2], local?.[1]].map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  if (!Number.isFinite(date.getTime())) return null
  const found = isoDay({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
  return date.getUTCDate() === day && date.getUTCMonth() + 1 === month ? found : null
}

/** Parses a time of day; null if there is none. */
function clockOf(text: string): { hour: number; minute: number } | null {
  const [, hour, minute = '0'] = CLOCK.exec(text) ?? []
  const clock = { hour: Number(hour), minute: Number(minute) }
  return clock.hour < 24 && clock.minute < 60 ? clock : null
}

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

function momentIn(zone: string, day: string, clock: { hour: number; minute: number }): number {
  return momentOf(zone, { ...dateOf(day), ...clock })
}

/** Whether a text is a moment with its offset: `2026-10-02T09:00-03:00`. */
const isInstant = (text: string): boolean => /T\d/.test(text) && /(?:Z|[+-]\d{2}:?\d{2})$/.test(text)

/**
 * Returns an event's span in a zone (IANA name): its day, with a time of day if the texts contain one (one hour long by
 * default), else the whole day. An instant with offset is used as it is. Null without a day.
 */
export function eventTime({ type, days, start, end }: EventTime, now: number, zone: string): EventSpan | null {
  const exact = type === 'custom' && isInstant(start.trim()) ? Date.parse(start.trim()) : Number.NaN
  const ahead = type === 'today' ? 0 : type === 'tomorrow' ? 1 : days
  const first = type === 'custom' ? dayOf(start) : dayAfter(dayIn(zone, now), ahead)
  if (first === null) return null
  // With a relative day the texts are times only.
  const last = (type === 'custom' ? dayOf(end) : null) ?? first
  const [from, to] = [clockOf(start), clockOf(end)]
  if (from === null) return { isAllDay: true, firstDay: first, lastDay: last < first ? first : last }
  const begins = Number.isFinite(exact) ? exact : momentIn(zone, first, from)
  const named = isInstant(end.trim()) ? Date.parse(end.trim()) : to && momentIn(zone, last, to)
  const ends = named !== null && Number.isFinite(named) && named > begins ? named : begins + HOUR_MS
  return { isAllDay: false, start: begins, end: ends }
}
