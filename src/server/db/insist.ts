import { setTimeout as pause } from 'node:timers/promises'
import { isInfrastructure } from './faults.ts'

const RETRY_MS = 200

/** Retries work that must not be lost while the database is briefly unavailable; throws its error after so many milliseconds. */
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
