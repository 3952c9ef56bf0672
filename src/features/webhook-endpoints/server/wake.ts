import type { Platform } from '#server/platform.ts'

const runners = new WeakMap<Platform, () => void>()

/** Registers the delivery runner of this process; null removes it. */
export function setRunner(platform: Platform, look: (() => void) | null): void {
  if (look) runners.set(platform, look)
  else runners.delete(platform)
}

/** Wakes the runner for due deliveries. */
export const wakeRunner = (platform: Platform): void => runners.get(platform)?.()
