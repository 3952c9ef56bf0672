import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { giveLost, nameOfWork } from './at-work.ts'
import type { Log } from './log.ts'

/** Maximum time, in ms, for a process to give up what it owns (jobs, connections to channels) before it ends. */
const GIVE_UP_MS = 5000

/**
 * Number of unhandled rejections of this process: of known units of work, which failed with them, and of unknown
 * origin.
 */
export const rejections = { known: 0, unknown: 0 }

/**
 * Handles unhandled errors: a rejection fails its unit of work, or is logged and counted if it has none; after an
 * uncaught exception the process gives up what it owns and exits.
 */
export function handleUncaught(log: Log, giveUp: () => Promise<void>): void {
  let isEnding = false
  process.on('unhandledRejection', (err) => {
    const isKnown = giveLost(err)
    rejections[isKnown ? 'known' : 'unknown']++
    log.error({ err, id: randomUUID(), work: nameOfWork(), isKnown }, 'a promise that nobody awaited was rejected')
  })
  process.on('uncaughtException', (err) => {
    isEnding = true
    log.fatal({ err, work: nameOfWork() }, 'the process ends: nobody caught an error')
    void Promise.race([giveUp(), setTimeout(GIVE_UP_MS)]).finally(() => process.exit(1))
  })
  process.on('exit', (code) => {
    const work = nameOfWork()
    if (work && !isEnding) log.fatal({ work, code }, 'the process was ended by its work')
  })
}
