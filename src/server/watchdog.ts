import { Worker } from 'node:worker_threads'
import { nameOfWork } from './at-work.ts'
import { checkout } from './checkout.ts'
import type { Log } from './log.ts'

/** Interval at which the main thread's loop signals that it turns, in ms. */
const TURN_MS = 1000
const MOST_MEMORY_MB = 16

/** Start data of the thread: shared counter of the loop's turns, and the CPU time, in ms, that it may take without a turn. */
export type Watched = {
  readonly turns: Int32Array<SharedArrayBuffer>
  readonly limitMs: number
  readonly isSilent: boolean
}

const file = import.meta.filename.endsWith('.ts')
  ? new URL('./watchdog-thread.ts', import.meta.url)
  : new URL('dist/server/watchdog-thread.js', checkout)

/**
 * Starts a thread that ends this process, logging the unit of work, once the main thread has consumed `limitMs` of CPU
 * without its loop turning. A process that is stopped, swapped out or waits consumes none.
 */
export function startWatchdog(limitMs: number, log: Log): void {
  const turns = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => void Atomics.add(turns, 0, 1), TURN_MS).unref()
  // The watchdog's thread reads the name of the work while the main thread is blocked.
  Object.assign(globalThis, { guicheWork: nameOfWork })
  const workerData: Watched = { turns, limitMs, isSilent: log.level === 'silent' }
  const thread = new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB } })
  thread.unref()
  thread.on('error', (err) => log.error({ err }, 'the event loop is not watched any more'))
}
