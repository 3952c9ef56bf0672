import type { Platform } from './platform.ts'

/** Polls for work at once and every `everyMs`, one poll at a time; errors are logged. Returns a function that stops it. */
export function startLooking(
  platform: Platform,
  of: { readonly work: (platform: Platform) => Promise<void>; readonly everyMs: number; readonly complaint: string },
): () => Promise<void> {
  let turn: Promise<void> | null = null
  const look = () => {
    turn ??= of
      .work(platform)
      .catch((err: unknown) => platform.log.warn({ err }, of.complaint))
      .finally(() => {
        turn = null
      })
  }
  const timer = setInterval(look, of.everyMs)
  look()
  return async () => {
    clearInterval(timer)
    await turn
  }
}

/**
 * Returns a poller that runs `work` one at a time; a call during a run triggers another run after it. Errors go to
 * `failed`; `stop` waits for the current run.
 */
export function looksInTurn(work: () => Promise<void>, failed: (err: unknown) => void) {
  let current: Promise<void> | null = null
  let isRepeated = false
  let isStopped = false
  function look(): void {
    if (isStopped) return
    if (current) {
      isRepeated = true
      return
    }
    current = work()
      .catch(failed)
      .finally(() => {
        current = null
        if (!isRepeated) return
        isRepeated = false
        setImmediate(look)
      })
  }
  return {
    look,
    isStopped: () => isStopped,
    async stop(): Promise<void> {
      isStopped = true
      await current
    },
  }
}
