import { localTime, offsetMinutes } from './local-time.ts'

/** Returns the midnight that began the day of a moment (epoch ms) in an IANA zone. */
export function startOfDay(zone: string, at: number): Date {
  const offset = offsetMinutes(zone, at)
  const { year, month, day } = localTime(at, offset)
  const midnight = Date.UTC(year, month - 1, day)
  // The zone's offset may have changed between midnight and now.
  return new Date(midnight - offsetMinutes(zone, midnight - offset * 60_000) * 60_000)
}
