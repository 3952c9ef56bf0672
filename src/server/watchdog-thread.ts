import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import type { Watched } from './watchdog.ts'

/** Interval of checking whether the loop has turned, in ms. */
const LOOK_MS = 1000
/** Time-out of the main thread's answer with what it is working on, in ms. */
const NAMING_MS = 2000
/** Maximum number of logged calls of the blocked thread's stack. */
const MOST_CALLS = 8
/** Kernel clock tick, as programs see it, in ms. */
const TICK_MS = 10
/** Factor of the limit where only the whole process's CPU is known, which other threads consume too. */
const OF_ALL_THREADS = 3

const { turns, limitMs, isSilent }: Watched = workerData

/** Returns the CPU that the main thread has consumed, in ms; null where the system does not say. */
function mainThreadCpu(): number | null {
  try {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
    const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
    return (user! + system!) * TICK_MS
  } catch {
    return null
  }
}

function consumed(): number {
  const own = mainThreadCpu()
  if (own !== null) return own
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 / OF_ALL_THREADS
}

let seen = -1
let before: number | null = null
const timer = setInterval(() => {
  const turn = Atomics.load(turns, 0)
  if (turn !== seen) {
    seen = turn
    before = null
    return
  }
  before ??= consumed()
  if (consumed() - before < limitMs) return
  clearInterval(timer)
  end()
}, LOOK_MS)

/** Asks the blocked main thread for its work's name and stack; then ends the process. */
function end(): void {
  let work: unknown = null
  const kill = (at: readonly string[]) => {
    const msg = `the process ends: its event loop has not turned for ${limitMs} ms of CPU`
    try {
      if (!isSilent) writeSync(1, `${JSON.stringify({ level: 60, time: Date.now(), work, at, msg })}\n`)
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }
  setTimeout(kill, NAMING_MS, [])
  const session = new Session()
  session.connectToMainThread()
  session.on('Debugger.paused', ({ params }) =>
    kill(
      params.callFrames
        .slice(0, MOST_CALLS)
        .map(({ functionName, url, location }) => `${functionName} (${url}:${location.lineNumber + 1})`),
    ),
  )
  session.post('Runtime.evaluate', { expression: 'globalThis.guicheWork()', returnByValue: true }, (_, answer) => {
    work = answer?.result.value ?? null
  })
  session.post('Debugger.enable', () => {})
  session.post('Debugger.pause', () => {})
}
