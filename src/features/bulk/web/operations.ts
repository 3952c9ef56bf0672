import type { BulkAnswer } from '#kit/bulk.ts'
import { createStore } from '#web/store.ts'

/** An operation that goes on, or has just ended, as far as it is known here. */
export type Progress = Omit<BulkAnswer, 'refused'> & { readonly id: string }

const key = 'guiche.bulk'

/** What this person follows: operations on so many records that they go on by themselves. */
export const operations = createStore<readonly Progress[]>([])

/** Takes in how an operation stands; it is followed until somebody has seen its end, here and after a reload. */
export function follow(one: Progress): void {
  const others = operations.get().filter(({ id }) => id !== one.id)
  save([...others, one])
}

/** Follows an operation no longer. */
export const unfollow = (id: string): void => save(operations.get().filter((one) => one.id !== id))

/** The operations that were followed before the page was loaded. */
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
