import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparison, type Figure, type Round } from './comparison.ts'
import type { Counters } from './counters.ts'
import { httpLoad } from './http-load.ts'
import type { Measure } from './loop.ts'
import { startOnce } from './start.ts'
import { keysInProcess, type Question, type Ready } from './state.ts'
import { workloads } from './workloads.ts'

const root = join(import.meta.dirname, '..')
const ROUNDS = 4
const ROUND_MS = 1500
/** Driver files that are copied into another state; they import nothing of the product. */
const PORTABLE = ['state.ts', 'counters.ts', 'loop.ts']
const DEFAULT = 'ingest1,ingest16,list16,chat16'

/** A state of the product in a separate process, with a separate database. */
type State = Extract<Ready, { tenant: unknown }> & {
  size: number
  driver: string
  ask<T>(question: Question): Promise<T>
  end(): Promise<void>
}

/** Whether a workload can be compared by alternating rounds. */
export const isComparable = (key: string): boolean =>
  key === 'start' || keysInProcess.includes(key) || workloads.some((one) => one.key === key && one.load)

/**
 * Measures another state of the product (a git ref) and this one alternately, in short rounds, and prints the ratio of every
 * figure. Both run all the time; the one not measured is idle. A state in which this driver cannot be loaded is measured by
 * its own.
 */
export async function compare(ref: string, size: number, keys: readonly string[] = DEFAULT.split(',')): Promise<void> {
  const folder = join(root, '.cache', 'bench')
  const other = join(folder, 'other')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await run('git', ['worktree', 'prune'])
  await run('git', ['worktree', 'add', '--quiet', '--force', '--detach', other, ref])
  try {
    await installInto(other)
    const working = keys.filter((key) => key !== 'start')
    const rounds = working.length > 0 ? await alternate(other, size, working) : []
    if (keys.includes('start')) rounds.push(await alternateStarts(other))
    console.log(comparison(ref, rounds))
  } finally {
    await run('git', ['worktree', 'remove', '--force', other])
  }
}

/** Installs the packages of the other state: links to this state's if the lock is the same, else its own. */
async function installInto(other: string): Promise<void> {
  const [here, there] = [root, other].map((folder) => readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  if (here === there) symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'))
  else await run('npm', ['ci', '--no-audit', '--no-fund'], other)
}

type Compared = { name: string; before: Round[]; after: Round[] }

async function alternate(other: string, size: number, keys: readonly string[]): Promise<Compared[]> {
  const states: State[] = []
  try {
    for (const folder of [other, root]) states.push(await start(folder, size))
    const [before, after] = states as [State, State]
    if (before.driver !== after.driver) console.log(`== the other state is measured by its own driver`)
    const compared: Compared[] = []
    for (const key of keys) {
      const rounds: Compared = { name: key, before: [], after: [] }
      for (const state of states) {
        await state.ask({ ask: 'refresh' })
        await measure(state, key)
      }
      for (let turn = 0; turn < ROUNDS; turn++) {
        rounds.before.push(await measure(before, key))
        rounds.after.push(await measure(after, key))
        const [then, now] = [rounds.before, rounds.after].map((all) => Math.round(all.at(-1)!['per second']!.value))
        console.log(`== ${key}, ${turn + 1} of ${ROUNDS}: ${then} and ${now} per second`)
      }
      compared.push(rounds)
    }
    return compared
  } finally {
    for (const state of states) await state.end()
  }
}

async function measure(state: State, key: string): Promise<Round> {
  const workload = workloads.find((one) => one.key === key)
  const load = await workload?.load?.({ tenant: state.tenant, size: state.size, product: state })
  const before = await state.ask<Counters>({ ask: 'counters' })
  const measured = load
    ? await httpLoad({ ...load, onlyMs: ROUND_MS })
    : { ...(await state.ask<Measure>({ ask: 'run', key })), operations: 0, bytes: 0 }
  const after = await state.ask<Counters>({ ask: 'counters' })
  const used = (name: keyof Counters) => after[name] - before[name]
  const each = (value: number, kind: Figure['kind']): Figure => ({
    value: value / (measured.operations || used('messages')),
    kind,
  })
  return {
    'per second': { value: measured.perSecond, kind: 'time' },
    'p50 ms': { value: measured.p50, kind: 'time' },
    'CPU of Node, ms each': each(used('node'), 'cpu'),
    'CPU of PostgreSQL, ms each': each(used('postgres'), 'cpu'),
    'statements each': each(used('statements'), 'count'),
    'round trips each': each(used('roundTrips'), 'count'),
    'buffers each': each(used('buffers'), 'count'),
    'bytes from and to PostgreSQL each': each(used('bytes'), 'count'),
    ...(load ? { 'bytes of the answer': each(measured.bytes, 'count') } : {}),
  }
}

async function start(folder: string, size: number): Promise<State> {
  const now = folder === root ? 'bench' : '.bench'
  if (folder !== root) cpSync(join(root, 'bench'), join(folder, now), { recursive: true })
  const state = await launch(folder, now, size)
  if (state) return state
  for (const file of PORTABLE) cpSync(join(root, 'bench', file), join(folder, 'bench', file))
  const own = await launch(folder, 'bench', size)
  if (!own) throw new Error('neither this driver nor its own can be loaded in the other state')
  return own
}

/** Starts the driver in a state; returns undefined if it cannot be loaded there. */
async function launch(folder: string, driver: string, size: number): Promise<State | undefined> {
  const child = fork(join(folder, driver, 'state.ts'), [String(size)], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', BENCH_ROUNDS: '1' },
  })
  const ended = once(child, 'exit')
  const answer = async <T>(): Promise<T> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      ended.then(([code]) => Promise.reject(new Error(`the driver of ${folder} ended with ${code}`))),
    ])
    return message as T
  }
  const ready = await answer<Ready>()
  if ('unloadable' in ready) {
    console.log(`== ${driver} cannot be loaded in the other state: ${ready.unloadable}`)
    return undefined
  }
  const send = (question: Question) => child.send(question)
  return {
    ...ready,
    size,
    driver,
    ask<T>(question: Question) {
      send(question)
      return answer<T>()
    },
    async end() {
      send({ ask: 'end' })
      await ended
    },
  }
}

async function alternateStarts(other: string): Promise<Compared> {
  const build =
    "import('./scripts/prepare.mjs').then(async (p) => { await p.build(process.execPath); await p.buildServer(process.execPath) })"
  for (const folder of [other, root]) await run(process.execPath, ['-e', build], folder)
  const rounds: Compared = { name: 'start', before: [], after: [] }
  const data = mkdtempSync(join(tmpdir(), 'guiche-bench-start-'))
  const once = async (folder: string, state: 'before' | 'after', idleMs?: number): Promise<Round> => {
    const { cpu, memory } = await startOnce(folder, join(data, state), idleMs)
    return {
      'CPU until it answers, ms': { value: cpu, kind: 'cpu' },
      'memory at rest, MB': { value: memory, kind: 'cpu' },
    }
  }
  try {
    for (const [folder, state] of [
      [other, 'before'],
      [root, 'after'],
    ] as const)
      await once(folder, state, 0)
    for (let turn = 0; turn < ROUNDS; turn++) {
      rounds.before.push(await once(other, 'before'))
      rounds.after.push(await once(root, 'after'))
    }
    return rounds
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

async function run(program: string, args: string[], cwd = root): Promise<void> {
  const [code] = (await once(spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }), 'close')) as [
    number,
  ]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
}
