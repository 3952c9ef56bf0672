import type { Platform } from './platform.ts'

/** Looks for work at once and every `everyMs`, one look at a time; what a look fails with is logged. Answers how to stop. */
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
