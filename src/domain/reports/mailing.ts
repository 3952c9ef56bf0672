import { dateOf, dayIn, momentOf } from '../calendar/local-time.ts'
import { dayAfter, weekdayOf } from './days.ts'

/** How often a report goes by mail. */
export type Frequency = 'weekly' | 'monthly'

/** The hour of the company's day at which reports leave. */
const HOUR = 7
const MONDAY = 1

/** When a report leaves next, after a moment: on Monday, or the first of a month, at seven in the company's zone. */
export function nextMailing(frequency: Frequency, zone: string, afterMs: number): number {
  for (let day = dayIn(zone, afterMs); ; day = dayAfter(day, 1)) {
    const isOne = frequency === 'weekly' ? weekdayOf(day) === MONDAY : day.endsWith('-01')
    if (!isOne) continue
    const at = momentOf(zone, { ...dateOf(day), hour: HOUR, minute: 0 })
    if (at > afterMs) return at
  }
}

/** The days that a report tells of when it leaves: the seven before, or the whole month before. */
export function mailedPeriod(frequency: Frequency, zone: string, ms: number): { from: string; to: string } {
  const to = dayAfter(dayIn(zone, ms), -1)
  if (frequency === 'weekly') return { from: dayAfter(to, -6), to }
  // Late by days it still is the month before.
  const first = `${dayIn(zone, ms).slice(0, 7)}-01`
  const last = dayAfter(first, -1)
  return { from: `${last.slice(0, 7)}-01`, to: last }
}
