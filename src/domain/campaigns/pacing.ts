import type { OpenTime } from '../calendar/open-time.ts'

/** Default variation of the interval between two messages, relative to the interval. */
const JITTER = 0.3

/**
 * Returns the time until the next message (ms): within `spread` of an interval, both in seconds; `random` lies between 0 and
 * 1.
 */
export const nextDelay = (seconds: number, random: number, spread: number | null = null): number =>
  Math.round(1000 * (seconds + (spread ?? seconds * JITTER) * (2 * random - 1)))

/** Returns the shortest and the longest delay between two messages, in ms. */
export const delayRange = (seconds: number): readonly [number, number] => [nextDelay(seconds, 0), nextDelay(seconds, 1)]

/**
 * Returns the time (epoch ms) at which the last of `count` messages is sent, at one per interval within the sending hours;
 * null if not within two years.
 */
export const plannedEnd = (time: OpenTime, from: number, count: number, seconds: number): number | null =>
  time.after(from, Math.max(0, count - 1) * seconds * 1000)

/** Returns the planned number of messages per hour, for a limited number of hours; hours are epoch ms. */
export function plannedHours(
  time: OpenTime,
  { from, count, seconds, most }: { from: number; count: number; seconds: number; most: number },
): { at: number; count: number }[] {
  const hours: { at: number; count: number }[] = []
  const interval = Math.max(seconds * 1000, 1)
  let left = count
  for (let at = Math.floor(from / HOUR) * HOUR; left > 0 && hours.length < most; at += HOUR) {
    const open = time.between(Math.max(at, from), at + HOUR)
    const planned = Math.min(left, Math.round(open / interval))
    hours.push({ at, count: planned })
    left -= planned
  }
  return hours
}

const HOUR = 3_600_000
