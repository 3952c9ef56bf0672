/** Runs `work` once things are quiet for `restMs`, and at the latest `mostMs` after the first call that asked for it. */
export function createSoon(work: () => void, restMs: number, mostMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first = 0
  return () => {
    const now = Date.now()
    if (timer === undefined) first = now
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        timer = undefined
        work()
      },
      Math.max(0, Math.min(restMs, first + mostMs - now)),
    )
  }
}
