import rrule from 'rrule'
import { localTime, momentOf, offsetMinutes } from '../calendar/local-time.ts'

// The package is CommonJS with types of an ES module: its default import is the whole export.
const { RRule } = rrule

const YEAR_MS = 366 * 86_400_000

/**
 * Returns the next occurrence (epoch ms) after `after` of a rule that began at `from`, at the same local time of an IANA
 * zone; null if the rule has ended or has no occurrence within a year. A time that the clock skips is moved after the gap.
 */
export function nextOccurrence(
  rule: string,
  { from, after, zone }: { from: number; after: number; zone: string },
): number | null {
  const wall = (at: number) => at + offsetMinutes(zone, at) * 60_000
  const options = RRule.parseString(rule)
  const last = new Date(wall(after) + YEAR_MS)
  const until = options.until && options.until < last ? options.until : last
  // The library computes without zones: wall-clock time is passed as if it were UTC.
  const series = new RRule({ ...options, dtstart: new Date(wall(from)), ...(options.count ? {} : { until }) })
  // A gap in the zone moves an occurrence later than its wall-clock time: the found one may still be before `after`.
  for (let found = series.after(new Date(wall(after))); found; found = series.after(found)) {
    if (found > last) return null
    const at = momentOf(zone, localTime(found.getTime(), 0)) + (found.getTime() % 60_000)
    if (at > after) return at
  }
  return null
}
