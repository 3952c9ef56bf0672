import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { codeOf } from '#kit/errors.ts'

/** Whether a process lives (a zombie does not); also true for processes of other users. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const state = stat.slice(stat.lastIndexOf(')') + 2)[0]
    return state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** Whether a process is a living PostgreSQL, main process or worker, that runs in `directory` (a real path). */
export function isServerIn(directory: string, pid: number): boolean {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return name === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === directory && isAlive(pid)
  } catch {
    return false
  }
}

/** Returns all PostgreSQL processes that run in `directory` (a real path). */
export function serversIn(directory: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => isServerIn(directory, pid))
}

/** Sends a signal; ignores that the process has already ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Polls every 10 ms until the condition holds; false if it did not within `milliseconds`. */
export async function waitUntil(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!condition()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}
