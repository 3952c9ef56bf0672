import type { ProviderEvent } from '../port.ts'

/** So many events, or letters of them, are handed over together: half of what a link takes; a mail with its files is always less. */
const MOST_EVENTS = 500
const MOST_LETTERS = 4_000_000

/** Up to which mail, not itself among them, what each of some mails became is handed over each time. */
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
