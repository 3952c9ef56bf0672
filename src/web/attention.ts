import { useSyncExternalStore } from 'react'

/** Something that waits for the person: counted in the menu at `path` and listed behind the bell. */
export type Attention = { key: string; path: string; label: string; count: number; inBell?: boolean }

let all: readonly Attention[] = []
const readers = new Set<() => void>()

/** Sets one count; the same `key` replaces, 0 takes it away. */
export function setAttention(next: Attention): void {
  const before = all.find((one) => one.key === next.key)
  if (before?.count === next.count && before.label === next.label) return
  all = [...all.filter((one) => one.key !== next.key), ...(next.count > 0 ? [next] : [])]
  for (const tell of readers) tell()
}

/** Everything that waits now. */
export function useAttention(): readonly Attention[] {
  return useSyncExternalStore(
    (reader) => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    () => all,
  )
}

let unread = 0
const unreadReaders = new Set<() => void>()

/** Says how many conversations of the person have something unread. */
export function setUnread(count: number): void {
  if (count === unread) return
  unread = count
  for (const tell of unreadReaders) tell()
}

/** Hears every change of the unread count. */
export function onUnread(reader: () => void): () => void {
  unreadReaders.add(reader)
  return () => unreadReaders.delete(reader)
}

/** How many conversations of the person have something unread. */
export const unreadCount = (): number => unread
