import { AsyncLocalStorage } from 'node:async_hooks'

/** Unit of work: an operation, a job, events of a company. Its name contains kinds and ids, never data. */
type AtWork = {
  readonly name: string
  /** First unhandled rejection of this work. */
  lost?: { readonly error: unknown }
  isOver: boolean
  onLost(error: unknown): void
}

const current = new AsyncLocalStorage<AtWork>()

/**
 * Runs a unit of work under a name that identifies it when it blocks the event loop or ends the process. An unhandled
 * rejection within it fails it, unless it has already ended.
 */
export function atWork<T>(name: string, work: () => T): T {
  const mine: AtWork = {
    name,
    isOver: false,
    onLost(error) {
      mine.lost ??= { error }
    },
  }
  return current.run(mine, () => {
    const result = work()
    return result instanceof Promise ? (ended(mine, result) as T) : result
  })
}

async function ended<T>(mine: AtWork, result: Promise<T>): Promise<T> {
  try {
    const value = await result
    if (mine.lost) throw mine.lost.error
    return value
  } finally {
    mine.isOver = true
  }
}

/** Runs long-lived work, such as a connection; its unhandled rejections go to `onLost`. */
export const working = <T>(name: string, onLost: (error: unknown) => void, work: () => T): T =>
  current.run({ name, isOver: false, onLost }, work)

/** Throws the unhandled rejection of this unit of work, if any; called right before a commit. */
export function refuseLost(): void {
  const lost = current.getStore()?.lost
  if (lost) throw lost.error
}

/** Returns the name of the current unit of work; null outside of one. */
export const nameOfWork = (): string | null => current.getStore()?.name ?? null

/** Assigns an unhandled rejection to the current unit of work; returns whether it was still running. */
export function giveLost(error: unknown): boolean {
  const unit = current.getStore()
  if (!unit || unit.isOver) return false
  unit.onLost(error)
  return true
}
