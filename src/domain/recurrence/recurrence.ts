import rrule from 'rrule'
import { localTime, momentOf, offsetMinutes } from '../calendar/local-time.ts'

// The package is CommonJS with the types of an ES module: what is imported is all that it exports.
const { RRule } = rrule as unknown as typeof import('rrule')

const WEEKDAY = '(MO|TU|WE|TH|FR|SA|SU)'
const ENDS = { COUNT: /^[1-9]\d{0,2}$/, UNTIL: /^\d{8}(T\d{6}Z?)?$/ }
/**
 * What may be said beside each frequency: no hours, and nothing that may never come (`DAILY;BYMONTH=2;BYMONTHDAY=30`),
 * for which the library would look through thousands of years.
 */
const PARTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  DAILY: { INTERVAL: /^[1-9]\d?$/ },
  WEEKLY: { INTERVAL: /^[1-9]\d?$/, BYDAY: new RegExp(`^${WEEKDAY}(,${WEEKDAY}){0,6}$`) },
  MONTHLY: {
    INTERVAL: /^([1-9]|1[01])$/,
    BYDAY: new RegExp(`^([1-5]|-1)${WEEKDAY}$`),
    BYMONTHDAY: /^(-1|[1-9]|[12]\d|3[01])$/,
  },
  YEARLY: {},
}
/** At most one of these. */
const EITHER = [
  ['COUNT', 'UNTIL'],
  ['BYDAY', 'BYMONTHDAY'],
]
const YEAR_MS = 366 * 86_400_000

/** Whether this is a repetition (RRULE of RFC 5545, `FREQ` first) that messages may follow. */
export function isRecurrence(rule: string): boolean {
  const [[first, frequency = ''] = [], ...parts] = rule.split(';').map((part) => part.split('='))
  const permitted: Readonly<Record<string, RegExp>> = { ...PARTS[frequency], ...ENDS }
  const names = parts.map(([name]) => name)
  return (
    first === 'FREQ' &&
    Object.hasOwn(PARTS, frequency) &&
    new Set(names).size === names.length &&
    EITHER.every((pair) => !pair.every((name) => names.includes(name))) &&
    parts.every(([name = '', value = '', ...rest]) => {
      return rest.length === 0 && Object.hasOwn(permitted, name) && permitted[name]!.test(value)
    })
  )
}

/**
 * The next moment (epoch ms) of a repetition that began at `from`, later than `after`, at the same time of day by the wall
 * clock of an IANA zone; null when it is over or has none within a year. A time that the clock skips is put after the gap.
 */
export function nextOccurrence(
  rule: string,
  { from, after, zone }: { from: number; after: number; zone: string },
): number | null {
  const wall = (at: number) => at + offsetMinutes(zone, at) * 60_000
  const options = RRule.parseString(rule)
  const last = new Date(wall(after) + YEAR_MS)
  const until = options.until && options.until < last ? options.until : last
  // The library counts on a clock without a zone: wall time goes in and out as if it were UTC.
  const series = new RRule({ ...options, dtstart: new Date(wall(from)), ...(options.count ? {} : { until }) })
  // A gap moves an occurrence to later than its wall time: the one that is found may lie behind `after` still.
  for (let found = series.after(new Date(wall(after))); found; found = series.after(found)) {
    if (found > last) return null
    const at = momentOf(zone, localTime(found.getTime(), 0)) + (found.getTime() % 60_000)
    if (at > after) return at
  }
  return null
}
