import { isCut } from './faults.ts'

/** Maximum total time of repetitions, in ms: longer than a frozen transaction may block (db/migrations/0015_time_limits.sql). */
const MOST_MS = 10_000
const MOST_TIMES = 6

/**
 * Repeats work that the database cut before its commit: a deadlock, a lock time-out, a frozen transaction, a lost
 * connection. The work may run several times, so its only effects are those it commits.
 */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let time = 1; ; time++) {
    try {
      return await work()
    } catch (error) {
      if (time === MOST_TIMES || !isCut(error) || performance.now() - began > MOST_MS) throw error
      await new Promise((resolve) => setTimeout(resolve, 10 * time * (1 + Math.random())))
    }
  }
}
