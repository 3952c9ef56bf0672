const HOUR_MS = 3_600_000
/** So much earlier the window counts as closed, so that what leaves in time also gets there in time. */
const MARGIN_MS = 60_000

/** Until when one may write freely (epoch ms) behind the contact's last word, in a window of so many hours. */
export const windowEnd = (lastInbound: number, hours: number): number => lastInbound + hours * HOUR_MS - MARGIN_MS

/**
 * Whether a channel lets one write freely now, and until when (epoch ms; null: there is no end). `lastInbound` is the contact's last
 * word in that conversation by the provider's clock, epoch ms; null where they never wrote.
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
