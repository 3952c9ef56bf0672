import { startOfDay } from '#domain/calendar/day.ts'
import { timeZone } from '#web/format.ts'
import type { Moment } from '../cache/thread-data.ts'

/** Returns the start of a day (YYYY-MM-DD) in the company's time zone; null for an invalid date. */
export function dayOf(date: string): Moment | null {
  const noon = Date.parse(`${date}T12:00:00Z`)
  return noon > 0 ? { timestamp: startOfDay(timeZone(), noon).getTime(), isDay: true } : null
}
