/** Time span of an event: two instants (epoch ms), or whole days (`YYYY-MM-DD`), the last included. */
export type EventSpan =
  | { readonly isAllDay: false; readonly start: number; readonly end: number }
  | { readonly isAllDay: true; readonly firstDay: string; readonly lastDay: string }

const DAY_MS = 86_400_000
const MOST_DAYS = 366
/** Tolerance for client clocks that are slow. */
const GRACE_MS = 60_000

/** Returns the invalid field of a new event's span with a message; null if valid. `today` is the company's day. */
export function spanProblem(
  span: EventSpan,
  { now, today }: { readonly now: number; readonly today: string },
): { readonly field: 'start' | 'end'; readonly text: string } | null {
  const length = span.isAllDay ? Date.parse(span.lastDay) - Date.parse(span.firstDay) : span.end - span.start
  if (length < 0 || (!span.isAllDay && length === 0)) return { field: 'end', text: 'O fim vem depois do começo.' }
  if (length > MOST_DAYS * DAY_MS) return { field: 'end', text: 'Um evento dura no máximo um ano.' }
  const isPast = span.isAllDay ? span.firstDay < today : span.start < now - GRACE_MS
  return isPast ? { field: 'start', text: 'Este horário já passou.' } : null
}

/** Whether an event is over. */
export const isOver = (span: EventSpan, { now, today }: { readonly now: number; readonly today: string }): boolean =>
  span.isAllDay ? span.lastDay < today : span.end < now

/** Returns the provider's id for an event: letters a–v and digits, deterministic in `id` and `generation`. */
export const remoteIdOf = (id: string, generation = 0): string =>
  `g${id.replaceAll('-', '')}${generation === 0 ? '' : `v${generation}`}`

const EARLIEST_RETRY_MS = 60_000
const LATEST_RETRY_MS = 3_600_000

/** Returns the back-off delay after `tries` failed attempts, ms. */
export const retryAfter = (tries: number): number =>
  Math.min(EARLIEST_RETRY_MS * 2 ** Math.min(tries, 10), LATEST_RETRY_MS)
