const HOUR_MS = 3_600_000
/** Margin that closes the window earlier, so that messages sent in time also arrive in time. */
const MARGIN_MS = 60_000

const DAY_MS = 24 * HOUR_MS

/** Returns the end of the window (epoch ms) of `hours` after the contact's last message. */
export const windowEnd = (lastInbound: number, hours: number): number => lastInbound + hours * HOUR_MS - MARGIN_MS

/**
 * Returns whether a channel permits free messages now, and until when (epoch ms; null: no end). `lastInbound` is the
 * contact's last message in the conversation by the provider's clock, epoch ms; null if none.
 */
export function windowOf(
  lastInbound: number | null,
  { windowHours }: { readonly windowHours: number | null },
  now: number,
): { readonly isOpen: boolean; readonly until: number | null } {
  if (windowHours === null) return { isOpen: true, until: null }
  const until = lastInbound === null ? 0 : windowEnd(lastInbound, windowHours)
  return { isOpen: now < until, until }
}

/** Returns the time (epoch ms) until which an agent may still write with the human agent tag; 0: not at all. */
export const humanAgentEnd = (lastInbound: number | null, days: number | null): number =>
  lastInbound === null || days === null ? 0 : lastInbound + days * DAY_MS - MARGIN_MS

/** Returns the time (epoch ms) until which a public comment can be answered privately; 0: not at all. */
export const commentEnd = (commentedAt: number, days: number | null): number =>
  days === null ? 0 : commentedAt + days * DAY_MS - MARGIN_MS
