import type { ProviderEvent } from '../port.ts'

/**
 * Maximum number of events, and of their characters, per emit: half of a link's limits; a mail with its files is always
 * smaller.
 */
const MOST_EVENTS = 500
const MOST_LETTERS = 4_000_000

/** Returns the end indexes (exclusive) of the groups of mails whose events are emitted together. */
export function partsOf(all: readonly (readonly ProviderEvent[])[]): number[] {
  const parts: number[] = []
  let [count, letters] = [0, 0]
  for (const [n, events] of all.entries()) {
    const size = JSON.stringify(events).length
    if (count > 0 && (count + events.length > MOST_EVENTS || letters + size > MOST_LETTERS)) {
      parts.push(n)
      ;[count, letters] = [0, 0]
    }
    count += events.length
    letters += size
  }
  return [...parts, all.length]
}
