import { setTimeout as pause } from 'node:timers/promises'
import { isInfrastructure } from './faults.ts'

const RETRY_MS = 200

/** Repeats what must not be lost because the database is away for a moment; gives up with its error after so many milliseconds. */
export async function insist<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isInfrastructure(error) || performance.now() > end) throw error
    }
    await pause(RETRY_MS, undefined, { ref: false })
  }
}
