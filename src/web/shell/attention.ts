import { useSyncExternalStore } from 'react'

/** What waits for the person, as it is counted around every screen. */
type Waiting = {
  /** Conversations of the person with something unread, by the tab of the list in which they stand. */
  readonly unread: Readonly<Record<string, number>>
  /** Tickets with something that concerns the person and was not seen: the number at the bell. */
  readonly bell: number
}

let waiting: Waiting = { unread: {}, bell: 0 }
const readers = new Set<() => void>()

function change(next: Partial<Waiting>): void {
  if (JSON.stringify({ ...waiting, ...next }) === JSON.stringify(waiting)) return
  waiting = { ...waiting, ...next }
  for (const tell of readers) tell()
}

/** Says how many conversations of the person have something unread, by tab. */
export const setUnread = (unread: Waiting['unread']): void => change({ unread })

/** Says on how many tickets something concerns the person and was not seen. */
export const setBell = (bell: number): void => change({ bell })

/** Hears every change of these counts. */
export function onWaiting(reader: () => void): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

/** How many conversations of the person have something unread. */
export const unreadCount = (): number => Object.values(waiting.unread).reduce((sum, count) => sum + count, 0)

/** The same, drawn again when it changes. */
export const useUnread = (): number => useSyncExternalStore(onWaiting, unreadCount)

/** How many of them stand in these tabs of the list. */
export const useUnreadIn = (tabs: readonly string[]): number =>
  useSyncExternalStore(onWaiting, () => tabs.reduce((sum, tab) => sum + (waiting.unread[tab] ?? 0), 0))

/** The number at the bell. */
export const useBell = (): number => useSyncExternalStore(onWaiting, () => waiting.bell)
