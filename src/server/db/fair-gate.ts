import { present } from '#domain/present.ts'

/** Time, in ms, for which places stay shared after another company's last request. */
const SHARED_MS = 30_000

/** Admission gate in front of a pool. */
export type FairGate = {
  /** Takes a place: at once (undefined), or when the promise resolves; rejects after the time-out. */
  enter(company: number): Promise<void> | undefined
  /** Releases the place. */
  leave(company: number): void
  /** Rejects everyone who waits. */
  refuse(error: Error): void
}

type Waiting = { resolve(): void; reject(error: Error): void; timer: NodeJS.Timeout }

/**
 * Shares the places of a pool between companies: one alone may take all of them; while another waits (or has asked in the
 * last half minute) none takes more than half. First come, first served within a company; the companies take turns.
 */
export function createFairGate(slots: number, waitMs: number, now: () => number = () => performance.now()): FairGate {
  const half = Math.max(1, Math.floor(slots / 2))
  const taken = new Map<number, number>()
  const waiting = new Map<number, Waiting[]>()
  let free = slots
  let last = { company: Number.NaN, at: Number.NEGATIVE_INFINITY }
  let other = last

  const isShared = (company: number): boolean => {
    if (waiting.size > (waiting.has(company) ? 1 : 0)) return true
    const { at } = last.company === company ? other : last
    return now() - at < SHARED_MS
  }
  const mayTake = (company: number): boolean => free > 0 && ((taken.get(company) ?? 0) < half || !isShared(company))
  const take = (company: number) => {
    free--
    taken.set(company, (taken.get(company) ?? 0) + 1)
  }
  const withdraw = (company: number, one: Waiting) => {
    const left = waiting.get(company)?.filter((each) => each !== one) ?? []
    if (left.length > 0) waiting.set(company, left)
    else waiting.delete(company)
  }

  // The served company moves to the end of the queue.
  function serveNext(): boolean {
    for (const [company, [first, ...rest]] of waiting) {
      if (!mayTake(company)) continue
      waiting.delete(company)
      if (rest.length > 0) waiting.set(company, rest)
      clearTimeout(present(first).timer)
      take(company)
      present(first).resolve()
      return true
    }
    return false
  }

  return {
    enter(company) {
      if (last.company !== company) {
        other = last
        last = { company, at: now() }
      } else last.at = now()
      if (!waiting.has(company) && mayTake(company)) {
        take(company)
        return undefined
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          withdraw(company, one)
          reject(new Error('timeout exceeded when trying to connect: no client was free'))
        }, waitMs)
        timer.unref()
        const one: Waiting = { resolve, reject, timer }
        waiting.set(company, [...(waiting.get(company) ?? []), one])
      })
    },
    leave(company) {
      free++
      const left = (taken.get(company) ?? 1) - 1
      if (left > 0) taken.set(company, left)
      else taken.delete(company)
      while (free > 0 && serveNext());
    },
    refuse(error) {
      for (const one of [...waiting.values()].flat()) {
        clearTimeout(one.timer)
        one.reject(error)
      }
      waiting.clear()
    },
  }
}
