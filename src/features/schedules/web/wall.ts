import { localTime, momentOf, offsetMinutes } from '#domain/calendar/local-time.ts'
import { timeZone } from '#web/format.ts'

/** A moment (epoch ms) as the company's clock shows it, as inputs of day and time have it. */
export const wallOf = (at: number): string =>
  new Date(at + offsetMinutes(timeZone(), at) * 60_000).toISOString().slice(0, 16)

/** The moment that such an input names; null where it names none. */
export const momentAt = (wall: string): number | null =>
  wall === '' ? null : momentOf(timeZone(), localTime(Date.parse(`${wall}Z`), 0))
