import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { giveLost, nameOfWork } from './at-work.ts'
import type { Log } from './log.ts'

/** So long, in ms, what a process owns (jobs, connections to channels) may take to be given up before it ends. */
const GIVE_UP_MS = 5000

/** How many promises were rejected in this process while nobody awaited them: of work that failed with it, and of none that is known. */
export const rejections = { known: 0, unknown: 0 }

/**
 * Handles what nobody has: a rejection fails the unit of work to which it belongs, and one of which none is known is only
 * logged and counted; after an error that nobody caught the process gives up what it owns and ends.
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
