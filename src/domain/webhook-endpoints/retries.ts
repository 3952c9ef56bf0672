const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const DAY = 24 * HOUR

/** Delays between delivery attempts, in ms; the first attempt is immediate. */
const DELAYS: readonly number[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

/** Maximum number of attempts per delivery. */
export const MOST_TRIES = DELAYS.length + 1

/** Random variation of each delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** Maximum delay that a receiver's `Retry-After` may cause. */
const LONGEST_WAIT = DAY
/** Duration and number of consecutive failures after which an endpoint is disabled. */
const OFF_AFTER = { ms: 5 * DAY, failures: MOST_TRIES }

/** Result of an attempt. */
export type Outcome = {
  /** HTTP status of the answer; null without one. */
  readonly httpStatus: number | null
  /** Delay requested by the receiver, in ms. */
  readonly retryAfterMs: number | null
}

/** Whether the receiver took it. */
export const isTaken = ({ httpStatus }: Pick<Outcome, 'httpStatus'>): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300

/** Whether the receiver answered 410: the endpoint no longer exists. */
export const isGone = ({ httpStatus }: Pick<Outcome, 'httpStatus'>): boolean => httpStatus === 410

/** Returns the delay after the `tries`th attempt failed, in ms; null: it was the last. `random` is from [0, 1). */
export function waitAfter(
  tries: number,
  { retryAfterMs }: Pick<Outcome, 'retryAfterMs'>,
  random: number,
): number | null {
  const delay = DELAYS[tries - 1]
  if (delay === undefined) return null
  const wait = Math.max(delay, Math.min(retryAfterMs ?? 0, LONGEST_WAIT))
  return Math.round(wait * (1 + random * JITTER))
}

/**
 * Whether an endpoint has failed long enough to be disabled; `since` and `failures`: start (epoch ms) and count of
 * consecutive failures.
 */
export const isHopeless = (since: number, failures: number, now: number): boolean =>
  failures >= OFF_AFTER.failures && now - since >= OFF_AFTER.ms

/** Parses `Retry-After` (seconds or a date) to ms from now; null if unreadable. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const at = Date.parse(text)
  return Number.isNaN(at) || text === '' ? null : Math.max(0, at - now)
}
