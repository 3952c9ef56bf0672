import type { Preferences } from '#kit/preferences.ts'

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Whether a moment lies in the person's quiet hours, by the clock of the device; they may cross midnight. */
export function isQuiet({ quiet, quietFrom, quietTo }: Preferences, at: Date): boolean {
  if (!quiet) return false
  const now = at.getHours() * 60 + at.getMinutes()
  const from = minutesOf(quietFrom)
  const to = minutesOf(quietTo)
  return from <= to ? now >= from && now < to : now >= from || now < to
}
