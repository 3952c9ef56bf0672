import { LRUCache } from 'lru-cache'

/**
 * Wraps a loader so that it always answers soon: while `load` fails or takes longer than `waitMs`, with its last answer for
 * the key, else with `first`. `onError` receives failures.
 */
export function lastKnown<T extends object>(
  load: (key: string) => Promise<T>,
  { first, waitMs, onError }: { first: T; waitMs: number; onError(error: unknown): void },
): (key: string) => Promise<T> {
  const known = new LRUCache<string, T>({ max: 1000 })
  return (key) => {
    const fresh = load(key).then(
      (value) => {
        known.set(key, value)
        return value
      },
      (error) => {
        onError(error)
        return known.get(key) ?? first
      },
    )
    let timer: NodeJS.Timeout | undefined
    const soon = new Promise<T>((resolve) => {
      timer = setTimeout(() => resolve(known.get(key) ?? first), waitMs)
    })
    return Promise.race([fresh, soon]).finally(() => clearTimeout(timer))
  }
}
