import { localTime, midnightAfter, momentOf, offsetMinutes } from './local-time.ts'

/** Inclusive day range `from..to`; each end is `YYYY-MM-DD`, `-30` (30 days before today), or empty (open). */
const DAY_RANGE = /^(\d{4}-\d{2}-\d{2}|-\d{1,4})?\.\.(\d{4}-\d{2}-\d{2}|-\d{1,4})?$/

/** Time range: `from` inclusive, `before` exclusive; null: open. */
export type Moments = { readonly from: Date | null; readonly before: Date | null }

/** Converts a day range to moments in a zone (IANA name); null if invalid. */
export function momentsOf(range: string, { zone, now }: { zone: string; now: Date }): Moments | null {
  if (!DAY_RANGE.test(range)) return null
  const [from = null, before = null] = range
    .split('..')
    .map((day, index) => (day ? midnightOf(day, index, zone, now) : null))
  if (Number.isNaN(from?.getTime()) || Number.isNaN(before?.getTime())) return null
  return { from, before }
}

/** Returns the midnight at which a day begins, plus `days`. */
function midnightOf(day: string, days: number, zone: string, now: Date): Date {
  const isAgo = day.startsWith('-')
  const at = isAgo ? now.getTime() : Date.parse(day)
  if (Number.isNaN(at)) return new Date(Number.NaN)
  const time = localTime(at, isAgo ? offsetMinutes(zone, at) : 0)
  return new Date(momentOf(zone, midnightAfter(time, days + (isAgo ? Number(day) : 0))))
}
