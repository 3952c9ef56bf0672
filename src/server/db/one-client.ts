import { AsyncLocalStorage } from 'node:async_hooks'

type Client = { isOpen: boolean; onSecond(error: Error): void }

const current = new AsyncLocalStorage<Client>()

/** Runs work that has one of the database's clients; whatever it starts is known by that until the work has ended. */
export async function withClientInUse<T>(onSecond: Client['onSecond'], work: () => Promise<T>): Promise<T> {
  const now: Client = { isOpen: true, onSecond }
  try {
    return await current.run(now, work)
  } finally {
    now.isOpen = false
  }
}

/** Starts independent work that the holder of a client does not wait for. */
export const apart = <T>(work: () => T): T => current.exit(work)

/**
 * Called before a client is requested, and before anything that may need one (a cache): a unit of work that waits for a
 * second client can deadlock the pool. Calls the holder's `onSecond`.
 */
export function refuseSecondClient(asked: string): void {
  const now = current.getStore()
  if (now?.isOpen) now.onSecond(new Error(`${asked} while a client of the database is held`))
}
