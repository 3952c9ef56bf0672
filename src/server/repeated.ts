import type { Platform } from './platform.ts'

/** Runs periodic work of a feature while the process works. `carefully`: a fault is logged, and the next run takes place. */
export function repeated(platform: Platform) {
  const timers: NodeJS.Timeout[] = []
  const carefully = (work: () => Promise<void>) => () =>
    work().catch((err) => platform.log.warn({ err }, 'recovery failed'))
  return {
    carefully,
    every(ms: number, work: () => Promise<void>): void {
      timers.push(setInterval(carefully(work), ms))
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
