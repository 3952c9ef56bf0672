import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startProduct } from '#test/lifecycle/product.ts'

/** Cost of `npm start` on existing data: CPU of the server's process until it answers, in ms, and its idle memory, in MB. */
export type Start = { cpu: number; memory: number }

const ROUNDS = 5
const IDLE_MS = 10_000
const ROOT = join(import.meta.dirname, '..')

/** Starts the product as `npm start` does, six times, and returns the medians of the last five. */
export async function measureStart(): Promise<Start> {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-bench-start-'))
  const rounds: Start[] = []
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const start = await startOnce(ROOT, dataDir, round === 0 ? 0 : IDLE_MS)
      if (round > 0) rounds.push(start)
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[ROUNDS >> 1]!
  return { cpu: middle(rounds.map(({ cpu }) => cpu)), memory: middle(rounds.map(({ memory }) => memory)) }
}

/** Starts the built product of a folder on new or existing data, and ends it after `idleMs` of idle time. */
export async function startOnce(folder: string, dataDir: string, idleMs = IDLE_MS): Promise<Start> {
  const product = startProduct({ node: process.execPath, folder, dataDir })
  await product.address
  const { cpu } = usageOf(product.pid)
  await setTimeout(idleMs)
  const { memory } = usageOf(product.pid)
  await product.end('SIGTERM')
  return { cpu, memory }
}

/** Returns a process's CPU time so far, in ms, and its current memory, in MB. */
export function usageOf(pid: number): Start {
  const [stat, status] = ['stat', 'status'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
  const [user, system] = stat!.slice(stat!.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return { cpu: (user! + system!) * 10, memory: Number(/VmRSS:\s+(\d+)/.exec(status!)?.[1]) / 1024 }
}
