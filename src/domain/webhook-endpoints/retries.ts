const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const DAY = 24 * HOUR

/** Back-off in ms after each try; the first try is made at once. */
const DELAYS: readonly number[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

/** Maximum number of tries of a delivery. */
export const MOST_TRIES = DELAYS.length + 1

/** Jitter: maximum share added to each wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** Maximum wait, whatever a receiver asks for. */
const LONGEST_WAIT = DAY
/** Duration and number of failures after which an endpoint is switched off. */
const OFF_AFTER = { ms: 5 * DAY, failures: MOST_TRIES }

/** Outcome of a try. */
export type Outcome = {
  /** HTTP status of the answer; null without one. */
  readonly httpStatus: number | null
  /** Wait that the receiver asked for, in ms. */
  readonly retryAfterMs: number | null
}

/** Whether the receiver took it. */
export const isTaken = ({ httpStatus }: Pick<Outcome, 'httpStatus'>): boolean =>
  httpStatus !== null && httpStatus >= 200 && httpStatus < 300

/** Whether the receiver answered 410: the endpoint no longer exists. */
export const isGone = ({ httpStatus }: Pick<Outcome, 'httpStatus'>): boolean => httpStatus === 410

/** Returns the wait after the `tries`th try failed, in ms; null: it was the last. `random` is from [0, 1). */
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

/** Whether an endpoint has failed for so long that it is switched off; `since` when and how often in a row (epoch ms). */
export const isHopeless = (since: number, failures: number, now: number): boolean =>
  failures >= OFF_AFTER.failures && now - since >= OFF_AFTER.ms

/** Parses `Retry-After` (seconds or a date) into ms from now; null if it cannot be read. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND
  const at = Date.parse(text)
  return Number.isNaN(at) || text === '' ? null : Math.max(0, at - now)
}
