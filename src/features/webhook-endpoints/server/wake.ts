import type { Platform } from '#server/platform.ts'

const runners = new WeakMap<Platform, () => void>()

/** Says who sends deliveries in this process; null: nobody any more. */
export function setRunner(platform: Platform, look: (() => void) | null): void {
  if (look) runners.set(platform, look)
  else runners.delete(platform)
}

/** Has deliveries looked for: some are due. */
export const wakeRunner = (platform: Platform): void => runners.get(platform)?.()
