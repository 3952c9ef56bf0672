import { startOfDay } from '#domain/calendar/day.ts'
import { formatDate, timeZone } from '#web/format.ts'
import type { Moment } from '../cache/thread-data.ts'

/** The beginning of a day, AAAA-MM-DD as inputs write it, in the company's zone; null for what is no day of our time. */
export function dayOf(date: string): Moment | null {
  const noon = Date.parse(`${date}T12:00:00Z`)
  return noon > 0 ? { timestamp: startOfDay(timeZone(), noon).getTime(), isDay: true } : null
}

/** The company's day of a moment (epoch ms), AAAA-MM-DD. */
export const inputDate = (at: number): string => formatDate(at).split('/').reverse().join('-')
