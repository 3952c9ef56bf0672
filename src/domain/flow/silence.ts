import type { FlowTimer } from './session.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Postponed timer: first due time and next due time (epoch ms). */
export type Postponed = { readonly since: number; readonly dueAt: number }

/** Facts that distinguish a silent customer from a delayed message; times are epoch ms. */
type Reach = {
  readonly isConnected: boolean
  /** Time of the reconnection; null: connected since the customer was asked. */
  readonly backAt: number | null
  /** Whether messages of the customer wait to be processed. */
  readonly isHeard: boolean
}

/**
 * Returns by how much to postpone a timer; null if it may ring. A customer is not silent while messages may be under
 * way: while the connection is away or just back, while events wait to be processed, and a minute more if nothing was
 * running when it was due. The delay grows; after a day the timer rings.
 */
export function postpone(
  timer: FlowTimer,
  { isConnected, backAt, isHeard }: Reach,
  now: number,
  postponed?: Postponed,
): Postponed | null {
  if (timer.purpose === 'delay') return null
  const since = postponed?.since ?? now
  const isUp = isConnected && now - (backAt ?? 0) >= MINUTE_MS
  const isLate = now - (postponed?.dueAt ?? timer.at) >= MINUTE_MS
  if (now - since >= DAY_MS || (isUp && !isHeard && !isLate)) return null
  return { since, dueAt: Math.round(now + Math.max(MINUTE_MS, (now - since) / 10)) }
}
