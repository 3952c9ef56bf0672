import type { BulkAnswer } from '#kit/bulk.ts'
import { createStore } from '#web/store.ts'

/** Progress of a running or recently ended bulk operation. */
export type Progress = Omit<BulkAnswer, 'refused'> & { readonly id: string }

const key = 'guiche.bulk'

/** Store of the user's background bulk operations. */
export const operations = createStore<readonly Progress[]>([])

/** Updates a bulk operation; it is followed until the user has seen its end, also after a reload. */
export function follow(one: Progress): void {
  const others = operations.get().filter(({ id }) => id !== one.id)
  save([...others, one])
}

/** Stops following a bulk operation. */
export const unfollow = (id: string): void => save(operations.get().filter((one) => one.id !== id))

/** Returns the bulk operations followed before the page was loaded. */
export function followedBefore(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.map(String) : []
  } catch {
    return []
  }
}

function save(next: readonly Progress[]): void {
  operations.set(next)
  if (next.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(next.map(({ id }) => id)))
}
