import { dateOf, dayIn, momentOf } from '../calendar/local-time.ts'
import { dayAfter, weekdayOf } from './days.ts'

/** Frequency at which a report is mailed. */
export type Frequency = 'weekly' | 'monthly'

/** Hour of the company's day at which reports are mailed. */
const HOUR = 7
const MONDAY = 1

/** Returns the next mailing time after a moment: Monday, or the first of a month, at seven in the company's zone. */
export function nextMailing(frequency: Frequency, zone: string, afterMs: number): number {
  for (let day = dayIn(zone, afterMs); ; day = dayAfter(day, 1)) {
    const isOne = frequency === 'weekly' ? weekdayOf(day) === MONDAY : day.endsWith('-01')
    if (!isOne) continue
    const at = momentOf(zone, { ...dateOf(day), hour: HOUR, minute: 0 })
    if (at > afterMs) return at
  }
}

/** Returns the period of a report mailed at `ms`: the previous seven days, or the whole previous month. */
export function mailedPeriod(frequency: Frequency, zone: string, ms: number): { from: string; to: string } {
  const to = dayAfter(dayIn(zone, ms), -1)
  if (frequency === 'weekly') return { from: dayAfter(to, -6), to }
  // Even days late, the report is about the previous month.
  const first = `${dayIn(zone, ms).slice(0, 7)}-01`
  const last = dayAfter(first, -1)
  return { from: `${last.slice(0, 7)}-01`, to: last }
}
