import { LRUCache } from 'lru-cache'
import { refuseSecondClient } from './db/one-client.ts'

/** Cache of values loaded on demand and invalidated explicitly; concurrent loads of one key share a promise. */
export type AsyncCache<T> = {
  /**
   * Returns the value, loading it if needed: never call it within a unit of work, which has a client and would wait for
   * another.
   */
  get(key: string): Promise<T>
  /** Returns the value if it is loaded already. */
  peek(key: string): T | undefined
  /** Stores a value that is known without loading it. */
  put(key: string, value: T): void
  delete(key: string): void
  clear(): void
}

/** Creates a bounded cache over `load`; a failed load is not cached. */
export function asyncCache<T>(load: (key: string) => Promise<T>, max = 20_000, ttlMs = 10 * 60_000): AsyncCache<T> {
  // Bounded by size with a size of 1 per entry: with a number of entries the library would allocate all of them at once.
  const entries = new LRUCache<string, { promise: Promise<T>; value?: T }>({
    maxSize: max,
    sizeCalculation: () => 1,
    ttl: ttlMs,
  })
  return {
    get(key) {
      refuseSecondClient('a cache is asked')
      const known = entries.get(key)
      if (known) return known.promise
      const entry: { promise: Promise<T>; value?: T } = { promise: load(key) }
      entries.set(key, entry)
      entry.promise.then(
        (value) => {
          entry.value = value
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key)
        },
      )
      return entry.promise
    },
    peek: (key) => entries.get(key)?.value,
    put: (key, value) => void entries.set(key, { promise: Promise.resolve(value), value }),
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}
