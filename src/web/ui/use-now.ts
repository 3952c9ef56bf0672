import { useSyncExternalStore } from 'react'

const step = 15_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const readers = new Set<() => void>()

function subscribe(reader: () => void): () => void {
  readers.add(reader)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const tell of readers) tell()
  }, step)
  return () => {
    readers.delete(reader)
    if (readers.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** The current time (epoch ms), shared by the whole page and renewed every 15 s; for rings and waiting times. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
