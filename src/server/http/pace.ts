import type { FastifyRequest } from 'fastify'

/** Time limit of an incoming stream: `graceMs`, extended by what has arrived at `bytesPerSecond`; at most `mostMs`. */
export type Pace = { readonly graceMs: number; readonly bytesPerSecond?: number; readonly mostMs?: number }

/** Calls `end` once fewer bytes have arrived (`come`) than the pace demands; returns a function that stops watching. */
export function endWhenSlow(
  { graceMs, bytesPerSecond, mostMs = Number.POSITIVE_INFINITY }: Pace,
  come: () => number,
  end: () => void,
): () => void {
  const began = performance.now()
  let timer: NodeJS.Timeout
  const watch = (ms: number): void => {
    timer = setTimeout(() => {
      const more = bytesPerSecond === undefined ? 0 : (come() / bytesPerSecond) * 1000
      const left = Math.min(graceMs + more, mostMs) - (performance.now() - began)
      if (left > 1) watch(left)
      else end()
    }, ms)
  }
  watch(graceMs)
  return () => clearTimeout(timer)
}

/** Minimum pace of a form's files. */
const FORM_PACE = { graceMs: 15_000, bytesPerSecond: 4 * 1024 }

/**
 * Ends a form's request that arrives too slowly; data waiting for the server do not count as slow. Returns a function that
 * stops watching.
 */
export function endSlowForm({ raw }: FastifyRequest): () => void {
  const before = raw.socket.bytesRead
  let stop = () => {}
  const watch = (): void => {
    stop = endWhenSlow(
      FORM_PACE,
      () => raw.socket.bytesRead - before,
      () => {
        if (raw.complete) return
        if (raw.readableLength > 0) watch()
        else raw.destroy()
      },
    )
  }
  watch()
  return () => stop()
}
