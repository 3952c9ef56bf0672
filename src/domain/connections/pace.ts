import { itemAt } from '../present.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MINUTE = 60_000

/** Number of refusals within an hour that halves the pace of new conversations. */
const MOST_REFUSALS = 3
/** Duration of a halved pace. */
const SLOW_MS = 24 * HOUR

/** Rate limits of a number: messages per minute, and new conversations within any hour. */
export type Pace = { readonly perMinute: number; readonly begunPerHour: number }

/**
 * State of a connection's rate limit, in epoch ms: tokens and their time, conversations begun within the last day, refusals
 * within the last hour, number of halvings and their end.
 */
export type PaceState = {
  readonly tokens: number
  readonly filledAt: number
  readonly begun: readonly number[]
  readonly refused: readonly number[]
  readonly halvings: number
  readonly slowUntil: number | null
}

/** Returns the initial state of a connection: its token bucket is full. */
export const restedPace = ({ perMinute }: Pace, now: number): PaceState => ({
  ...{ tokens: perMinute, filledAt: now, begun: [], refused: [], halvings: 0, slowUntil: null },
})

const isSlow = ({ slowUntil }: PaceState, now: number): boolean => slowUntil !== null && slowUntil > now

/** Returns the present hourly limit of new conversations; at least one. */
export const begunPerHour = (pace: Pace, state: PaceState, now: number): number =>
  Math.max(1, Math.floor(pace.begunPerHour / (isSlow(state, now) ? 2 ** state.halvings : 1)))

/**
 * Takes a token for one message, or returns the earliest time for it (epoch ms, if nothing else is sent meanwhile). The
 * bucket holds a minute's worth and fills evenly. A message that begins a conversation (`isFirst`) also needs a place within
 * the hourly limit; others never wait for it.
 */
export function takeTurn(
  state: PaceState,
  pace: Pace,
  now: number,
  isFirst: boolean,
): { readonly after: PaceState } | { readonly at: number } {
  const filled = Math.max(0, now - state.filledAt) * (pace.perMinute / MINUTE)
  const tokens = Math.min(pace.perMinute, state.tokens + filled)
  const begun = state.begun.filter((at) => at > now - DAY)
  // A missing thousandth of a token is a rounding error.
  const full = tokens > 0.999 ? now : Math.ceil(now + (1 - tokens) * (MINUTE / pace.perMinute))
  const free = isFirst ? freeSlot(state, pace, now) : now
  const at = Math.max(full, free)
  if (at > now) return { at }
  return {
    after: { ...state, tokens: Math.max(0, tokens - 1), filledAt: now, begun: isFirst ? [...begun, now] : begun },
  }
}

/** Returns the earliest time (epoch ms) at which the hourly limit admits a new conversation. */
function freeSlot(state: PaceState, pace: Pace, now: number): number {
  const lately = state.begun.filter((at) => at > now - HOUR)
  const most = begunPerHour(pace, state, now)
  return lately.length >= most ? itemAt(lately, lately.length - most) + HOUR : now
}

/** Returns how many people a linked number may write to first per day: 20 in its first week, doubled each week, at most 250. */
export const begunPerDay = (firstConnectedAt: number | null, now: number): number =>
  Math.min(250, 20 * 2 ** Math.max(0, Math.floor((now - (firstConnectedAt ?? now)) / (7 * DAY))))

/** Returns the number of conversations begun within the last day. */
export const begunToday = ({ begun }: Pick<PaceState, 'begun'>, now: number): number =>
  begun.filter((at) => at > now - DAY).length

/**
 * Returns the earliest time (epoch ms) at which a dispatch may begin a conversation, within the hourly pace and the daily
 * limit. `written` counts conversations that it has begun but not sent yet.
 */
export function mayBeginAt(
  state: PaceState,
  pace: Pace,
  { now, perDay, written }: { readonly now: number; readonly perDay: number; readonly written: number },
): number {
  const begun = [...state.begun.filter((at) => at > now - DAY), ...Array.from({ length: written }, () => now)]
  const inDay = begun.length >= perDay ? itemAt(begun, begun.length - perDay) + DAY : now
  return Math.max(inDay, freeSlot({ ...state, begun }, pace, now))
}

/**
 * Returns the state after the channel refused a conversation for its rate: the third refusal within an hour halves the pace
 * for a day.
 */
export function afterRefusal(state: PaceState, now: number): PaceState {
  const refused = [...state.refused.filter((at) => at > now - HOUR), now]
  if (refused.length < MOST_REFUSALS) return { ...state, refused }
  return { ...state, refused: [], halvings: isSlow(state, now) ? state.halvings + 1 : 1, slowUntil: now + SLOW_MS }
}
