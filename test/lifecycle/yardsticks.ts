import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const libraries = ['fastify', 'graphile-worker', 'kysely', 'pg', 'pino', 'socket.io', 'zod']
const ROUNDS = 3

/**
 * CPU that a process takes to load the libraries that the server is made of and nothing else, from `node_modules`, in ms:
 * the median of three. A start is held against it, as a machine may be twice as slow as another, or as itself an hour ago.
 */
export function librariesAlone(): number {
  const load = libraries.map((name) => `await import('${name}')`).join('\n')
  const source = `${load}\nconst { user, system } = process.cpuUsage()\nconsole.log((user + system) / 1000)`
  return median(() => Number(run(process.execPath, ['--input-type=module', '-e', source])))
}

/** Wall time that npm takes to run a script that does nothing, in ms: the median of three. */
export const npmAlone = () =>
  median(() => {
    const begun = performance.now()
    run('npm', ['run', '--if-present', 'nothing'])
    return performance.now() - begun
  })

function run(program: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', timeout: 30_000 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const median = (measure: () => number) => Array.from({ length: ROUNDS }, measure).sort((a, b) => a - b)[ROUNDS >> 1]!
