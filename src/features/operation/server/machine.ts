import { statfs } from 'node:fs/promises'
import { availableParallelism, type CpuInfo, cpus, totalmem } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const SAMPLE_MS = 250

/** Measures for a quarter of a second how busy all processors are, in percent. */
export async function readCpu(): Promise<{ usage: number; cores: number }> {
  const before = cpus()
  await wait(SAMPLE_MS)
  return { usage: busyPercent(before, cpus()), cores: availableParallelism() }
}

/** Returns the busy share of the time between two samples of the processors' counters, in percent. */
export function busyPercent(before: readonly Pick<CpuInfo, 'times'>[], after: typeof before): number {
  const sum = (all: typeof before) => {
    const times = all.map((one) => one.times)
    const idle = times.reduce((total, one) => total + one.idle, 0)
    return { idle, all: times.reduce((total, one) => total + one.user + one.nice + one.sys + one.irq, idle) }
  }
  const [from, to] = [sum(before), sum(after)]
  const elapsed = to.all - from.all
  if (elapsed <= 0) return 0
  return percent(elapsed - Math.max(0, to.idle - from.idle), elapsed)
}

/** Returns the memory of the machine, or of the container if that has a limit, in bytes. */
export function readMemory() {
  const limit = process.constrainedMemory()
  const total = limit > 0 && limit < totalmem() ? limit : totalmem()
  const free = Math.min(process.availableMemory(), total)
  return {
    total,
    used: total - free,
    free,
    usedPercentage: percent(total - free, total),
    process: process.memoryUsage.rss(),
  }
}

/** Returns size and free space, in bytes, of the file system of a folder; null if the system does not report them. */
export async function readDisk(folder: string): Promise<{ total: number; free: number } | null> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder)
    return { total: blocks * bsize, free: bavail * bsize }
  } catch {
    return null
  }
}

const percent = (part: number, whole: number): number =>
  Math.min(100, Math.max(0, Math.round((1000 * part) / whole) / 10))
