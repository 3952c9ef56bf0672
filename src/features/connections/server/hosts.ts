import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '#server/platform.ts'
import { countDue } from './queries-leases.ts'

/** So often it is looked whether connections need a further process; one learns of most at once. */
const LOOK_MS = 2000
/** So long after it ended a process is started anew: at first, and at most. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** What ran so long before it ended is not what keeps it from running. */
const LONG_RUN_MS = 60_000
/** So long a process may take to give its connections back. */
const END_MS = 20_000

/**
 * Keeps as many processes running as the connections that are to be open need, `CONNECTIONS_PER_PROCESS` in each: the first
 * starts with the first connection. Answers how to end them.
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
