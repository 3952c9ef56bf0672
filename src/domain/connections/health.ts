import type { OutageCause } from './causes.ts'

/** Number of hours shown. */
export const HEALTH_HOURS = 36
const HOUR_MS = 3_600_000

/** State in an hour: `unknown` before the first connection, and while it was switched off. */
export type HealthHour = 'up' | 'down' | 'unknown'

/** State of a connection over the last hours; times in milliseconds. */
export type Health = {
  /** Hours, oldest first; an hour is `down` if the connection had any outage in it. */
  readonly hours: readonly HealthHour[]
  /** Number of outages in these hours, and their total duration. */
  readonly outages: number
  readonly awayMs: number
  /** Duration for which the connection's state is known. */
  readonly knownMs: number
}

/** Outage in epoch ms; `endedAt` null: ongoing. */
type Span = { readonly cause: OutageCause; readonly beganAt: number; readonly endedAt: number | null }

/** Computes the health of the hours before `now` (epoch ms) from outages; `since`: first connection, null if never connected. */
export function healthOf(outages: readonly Span[], { since, now }: { since: number | null; now: number }): Health {
  const start = now - HEALTH_HOURS * HOUR_MS
  const known = Math.max(start, since ?? now)
  const cut = (span: Span) => ({
    from: Math.max(span.beganAt, known),
    to: Math.min(span.endedAt ?? now, now),
    isOff: span.cause === 'person',
  })
  const spans = outages.map(cut).filter(({ from, to }) => from < to)
  const away = spans.filter(({ isOff }) => !isOff)
  const lasting = (some: typeof spans) => some.reduce((sum, { from, to }) => sum + to - from, 0)
  const hours = Array.from({ length: HEALTH_HOURS }, (_, n): HealthHour => {
    const [from, to] = [start + n * HOUR_MS, start + (n + 1) * HOUR_MS]
    const within = (some: typeof spans) => some.filter((span) => span.from < to && span.to > from)
    if (within(away).length > 0) return 'down'
    const off = within(spans).reduce((sum, span) => sum + Math.min(span.to, to) - Math.max(span.from, from), 0)
    return known >= to || off + Math.max(0, known - from) >= HOUR_MS ? 'unknown' : 'up'
  })
  return {
    ...{ hours, outages: away.length, awayMs: lasting(away) },
    knownMs: now - known - lasting(spans.filter(({ isOff }) => isOff)),
  }
}
