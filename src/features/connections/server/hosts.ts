import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '#server/platform.ts'
import { countDue } from './queries-leases.ts'

/** Interval of checking whether more processes are needed, in ms; most changes are published at once. */
const LOOK_MS = 2000
/** Shortest and longest restart delay of an ended process, in ms. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** Uptime after which the restart delay resets, in ms. */
const LONG_RUN_MS = 60_000
/** Time-out of a process for releasing its connections, in ms. */
const END_MS = 20_000

/**
 * Starts and supervises as many processes as the due connections need, `CONNECTIONS_PER_PROCESS` in each; the first starts
 * with the first connection. Returns a function that ends them.
 */
export function startHosts(
  platform: Platform,
  types: readonly string[],
  startHost: () => ChildProcess,
): () => Promise<void> {
  const ends: (() => Promise<void>)[] = []
  let isOver = false
  let looking: Promise<void> | null = null
  const lookOnce = async () => {
    const due = await platform.db.askAsPlatform((db) => countDue(db, types))
    while (!isOver && ends.length * platform.env.CONNECTIONS_PER_PROCESS < due)
      ends.push(supervise(platform, startHost))
  }
  const look = () => {
    looking ??= lookOnce()
      .catch((err) => platform.log.warn({ err }, 'it could not be looked how many connections there are'))
      .finally(() => {
        looking = null
      })
  }
  const timer = setInterval(look, LOOK_MS)
  platform.bus.onStale((what) => {
    if (!isOver && what.startsWith('connection ')) look()
  })
  look()
  return async () => {
    isOver = true
    clearInterval(timer)
    await looking
    await Promise.all(ends.map((end) => end()))
  }
}

/** Runs a child process and restarts it until stopped. */
function supervise({ log }: Platform, start: () => ChildProcess): () => Promise<void> {
  const over = new AbortController()
  let child: ChildProcess
  const running = (async () => {
    for (let wait = FIRST_WAIT_MS; !over.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const began = performance.now()
      child = start()
      const how = await once(child, 'exit').catch((error: unknown) => [error])
      if (over.signal.aborted) return
      if (performance.now() - began > LONG_RUN_MS) wait = FIRST_WAIT_MS
      log.warn({ how, wait }, 'a process that keeps connections open has ended and is started anew')
      await pause(wait, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  return async () => {
    over.abort()
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), END_MS)
    await running
    clearTimeout(limit)
  }
}
