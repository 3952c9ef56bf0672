import type { HEALTH_PARTS } from '#kit/health-parts.ts'

type HealthPart = (typeof HEALTH_PARTS)[number]

/** Failing parts of this process; nothing is stored, so a new process starts healthy and detects failures itself. */
export type Health = {
  /** Reports a failing part, with the code of its error (an SQLSTATE, an errno): never a text that may quote data. */
  fail(part: HealthPart, code: string): void
  /** Reports that the part works again. */
  recover(part: HealthPart): void
  /** Returns the failing parts, longest first; `since` in epoch milliseconds. */
  failing(): { part: HealthPart; code: string; since: number }[]
  /** Subscribes to changes of the list of failing parts. */
  onChange(listener: () => void): () => void
}

/** Creates the health state of one process. */
export function createHealth(now: () => Date): Health {
  const parts = new Map<HealthPart, { code: string; since: number }>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return {
    fail(part, code) {
      if (parts.has(part)) return
      parts.set(part, { code, since: now().getTime() })
      changed()
    },
    recover(part) {
      if (parts.delete(part)) changed()
    },
    failing: () => [...parts].map(([part, about]) => ({ part, ...about })),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
