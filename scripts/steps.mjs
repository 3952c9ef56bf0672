import { spawn } from 'node:child_process'

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

/** Runs a program silently in the checkout and gives `{ code, output }`: its exit code and what it said. */
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

/** Runs a program with this terminal, passes signals on to it, and gives its exit code. */
export function attach(program, args, env = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const pass = (name) => child.kill(name)
  // A terminal sends Ctrl-C to the whole group, so the program has already heard of it.
  process.on('SIGINT', () => process.stdin.isTTY || pass('SIGINT'))
  process.on('SIGTERM', pass)
  process.on('SIGHUP', pass)
  // A killed npm takes nobody with it.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid === parent || pass('SIGTERM'), 500).unref()
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

/** Runs a script's main function: what it throws is printed as one sentence, what it returns is the exit code. */
export async function main(work) {
  try {
    process.exit((await work()) ?? 0)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
