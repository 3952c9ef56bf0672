import { AsyncLocalStorage } from 'node:async_hooks'

/** A unit of work: an operation, a job, events of a company. Its name says kinds and ids, never data. */
type AtWork = {
  readonly name: string
  /** What was rejected while nobody awaited it. */
  lost?: { readonly error: unknown }
  isOver: boolean
  onLost(error: unknown): void
}

const current = new AsyncLocalStorage<AtWork>()

/**
 * Runs a unit of work under a name, by which it is known if it does not let the process go on or ends it. A promise that it
 * leaves to nobody and that is rejected fails it, unless it has ended before.
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

/** Runs what works for as long as it is wanted, a connection say; what it leaves to nobody and is rejected is given to `onLost`. */
export const working = <T>(name: string, onLost: (error: unknown) => void, work: () => T): T =>
  current.run({ name, isOver: false, onLost }, work)

/** Throws with what was rejected in this unit of work while nobody awaited it: right before something of it is committed. */
export function refuseLost(): void {
  const lost = current.getStore()?.lost
  if (lost) throw lost.error
}

/** The name of the unit of work in whose course this is called. */
export const nameOfWork = (): string | null => current.getStore()?.name ?? null

/** Gives the unit of work in whose course this is called a rejection that nobody awaited; whether it was still at work. */
export function giveLost(error: unknown): boolean {
  const unit = current.getStore()
  if (!unit || unit.isOver) return false
  unit.onLost(error)
  return true
}
