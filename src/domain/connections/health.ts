import type { OutageCause } from './causes.ts'

/** A time in which a connection was away, epoch ms; `endedAt` null while it goes on. */
export type Away = { readonly cause: OutageCause; readonly beganAt: number; readonly endedAt: number | null }

const HOUR = 3_600_000

/** For so many hours the health of a connection is drawn. */
export const HEALTH_HOURS = 36

/**
 * How a connection stood in each of the last hours, the oldest first: through, away for a part, away throughout, or (`off`)
 * ended by a person for any part and otherwise through; and the share of the time in which it was there (0 to 1), what a person ended left out.
 */
export function healthOf(
  away: readonly Away[],
  now: number,
): { hours: ('up' | 'part' | 'down' | 'off')[]; up: number } {
  const start = now - HEALTH_HOURS * HOUR
  const within = (from: number, to: number, isWanted: boolean) =>
    away
      .filter(({ cause }) => (cause === 'person') === isWanted)
      .reduce(
        (sum, { beganAt, endedAt }) => sum + Math.max(0, Math.min(endedAt ?? now, to) - Math.max(beganAt, from)),
        0,
      )
  const hours = Array.from({ length: HEALTH_HOURS }, (_, n) => {
    const [from, to] = [start + n * HOUR, start + (n + 1) * HOUR]
    const lost = within(from, to, false)
    if (lost === 0) return within(from, to, true) > 0 ? 'off' : 'up'
    return lost >= HOUR ? 'down' : 'part'
  })
  const wanted = now - start - within(start, now, true)
  return { hours, up: wanted > 0 ? 1 - within(start, now, false) / wanted : 1 }
}
