import { LRUCache } from 'lru-cache'
import { refuseSecondClient } from './db/one-client.ts'

/** Values loaded once and kept until somebody says that they changed; concurrent loads of one key share a promise. */
export type AsyncCache<T> = {
  /** The value, loaded if need be: never within a unit of work, which has a client and would wait for another. */
  get(key: string): Promise<T>
  /** The value if it is loaded already. */
  peek(key: string): T | undefined
  drop(key: string): void
  dropAll(): void
}

/** A bounded cache over `load`; a failed load is not kept. */
export function asyncCache<T>(load: (key: string) => Promise<T>, max = 20_000, ttlMs = 10 * 60_000): AsyncCache<T> {
  const kept = new LRUCache<string, { promise: Promise<T>; value?: T }>({ max, ttl: ttlMs })
  return {
    get(key) {
      refuseSecondClient('a cache is asked')
      const known = kept.get(key)
      if (known) return known.promise
      const entry: { promise: Promise<T>; value?: T } = { promise: load(key) }
      kept.set(key, entry)
      entry.promise.then(
        (value) => {
          entry.value = value
        },
        () => {
          if (kept.peek(key) === entry) kept.delete(key)
        },
      )
      return entry.promise
    },
    peek: (key) => kept.get(key)?.value,
    drop: (key) => void kept.delete(key),
    dropAll: () => kept.clear(),
  }
}
