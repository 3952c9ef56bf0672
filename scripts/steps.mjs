import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** Uptime after which the restart back-off begins with its shortest wait again. */
const LONG_RUN_MS = 60_000

/** The folder of the checkout, without a slash at its end. */
export const root = new URL('..', import.meta.url).pathname.replace(/\/$/, '')

/** Prints `title … 3,2 s` around some work, with a dot every ten seconds, and passes its result on. */
export async function step(title, work) {
  const start = performance.now()
  process.stdout.write(`${title} …`)
  const dots = setInterval(() => process.stdout.write('.'), 10_000)
  try {
    const result = await work()
    process.stdout.write(` ${seconds(start)}\n`)
    return result
  } catch (error) {
    process.stdout.write(` falhou depois de ${seconds(start)}\n`)
    throw error
  } finally {
    clearInterval(dots)
  }
}

/** The time since `start` (of `performance.now()`) as "3,2 s". */
export const seconds = (start) => `${((performance.now() - start) / 1000).toFixed(1).replace('.', ',')} s`

/** Runs a program silently in the checkout and returns `{ code, output }`: its exit code and its output. */
export function capture(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => resolve({ code: 1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * Runs a program with this terminal, passes signals on to it, and returns its exit code. With `restart`, a program that has
 * reported to its parent that it is up and then ends unasked is restarted: after a second, later after up to half a minute.
 */
export async function attach(program, args, env = {}, { restart = false } = {}) {
  let child
  const told = new AbortController()
  const pass = (name) => {
    told.abort(name)
    child.kill(name)
  }
  // A terminal sends Ctrl-C to the whole group, so the program has already known of it.
  process.on('SIGINT', () => (process.stdin.isTTY ? told.abort('SIGINT') : pass('SIGINT')))
  process.on('SIGTERM', pass)
  process.on('SIGHUP', pass)
  // The program ends as well when npm is killed.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || pass('SIGTERM'), 500).unref()
  let wasUp = false
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    child = spawn(program, args, {
      cwd: root,
      stdio: ['inherit', 'inherit', 'inherit', ...(restart ? ['ipc'] : [])],
      env: { ...process.env, ...env },
    })
    child.once('message', () => {
      wasUp = true
    })
    const start = performance.now()
    const [code, signal] = await new Promise((resolve) => {
      child.once('error', (error) => {
        console.error(error.message)
        resolve([1])
      })
      child.once('exit', (...how) => resolve(how))
    })
    if (told.signal.aborted || !wasUp || code === 0) return exitCode(code, signal)
    if (performance.now() - start > LONG_RUN_MS) wait = FIRST_WAIT_MS
    console.error(`O Guichê parou de repente (${signal ?? `código ${code}`}) e inicia de novo em ${wait / 1000} s.`)
    await pause(wait, undefined, { signal: told.signal }).catch(() => {})
    if (told.signal.aborted) return exitCode(null, told.signal.reason)
  }
}

const exitCode = (code, signal) => code ?? (signal === 'SIGINT' ? 130 : 143)

/** Runs a script's main function: an error is printed as one sentence, the result is the exit code. */
export async function main(work) {
  try {
    process.exit((await work()) ?? 0)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
