const HOUR_MS = 3_600_000
/** Safety margin: the window counts as closed earlier, so that messages sent in time also arrive in time. */
const MARGIN_MS = 60_000

const DAY_MS = 24 * HOUR_MS

/** Until when one may write freely (epoch ms) behind the contact's last word, in a window of so many hours. */
export const windowEnd = (lastInbound: number, hours: number): number => lastInbound + hours * HOUR_MS - MARGIN_MS

/**
 * Returns whether the channel's window is open, and until when (epoch ms; null: no end). `lastInbound` is the contact's last
 * message in that conversation by the provider's clock, epoch ms; null if there is none.
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

/** Until when (epoch ms) a person may still write who says so, behind the contact's last word; 0: not at all. */
export const humanAgentEnd = (lastInbound: number | null, days: number | null): number =>
  lastInbound === null || days === null ? 0 : lastInbound + days * DAY_MS - MARGIN_MS

/** Until when (epoch ms) a public comment can be answered to its writer alone; 0: not at all. */
export const commentEnd = (commentedAt: number, days: number | null): number =>
  days === null ? 0 : commentedAt + days * DAY_MS - MARGIN_MS
