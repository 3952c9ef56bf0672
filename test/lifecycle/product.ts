import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { signal } from '#server/postgres/processes.ts'
import { environment, program } from '../../scripts/program.mjs'

/** Product as a separate process, run as `npm start` runs it. */
export type Product = {
  pid: number
  /** Returns its output so far. */
  output(): string
  /** The address that it printed; rejects with its output when it ends before. */
  address: Promise<string>
  /** Sends a signal and returns the exit code, null after SIGKILL. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Exit code, once the process ends by itself. */
  ended: Promise<number | null>
}

/** Starts the product of a checkout, on any free port unless `env` names one. */
export function startProduct(options: {
  node: string
  folder: string
  dataDir: string
  env?: Record<string, string>
  uid?: number
  gid?: number
  /** Arguments of Node; the server by default. */
  args?: readonly string[]
}): Product {
  const { node, folder, dataDir, env, args, ...account } = options
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child: ChildProcess = spawn(node, args ?? program, {
    ...account,
    detached: args !== undefined, // a group of its own: the server that it starts is killed with it
    cwd: folder,
    env: { ...environment, PATH, NODE_COMPILE_CACHE, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = /no ar: (http:\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  address.catch(() => {})
  const end = (name: NodeJS.Signals) => {
    if (name !== 'SIGKILL') child.kill(name)
    else if (child.exitCode === null && child.pid) signal(args ? -child.pid : child.pid, name)
    return ended
  }
  return { pid: child.pid ?? 0, output: () => output, address, end, ended }
}

/** The processes that keep connections open for a product, by its own number. */
export function hostsOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const isChild = Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === parent
      return isChild && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('\0host\0') ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
