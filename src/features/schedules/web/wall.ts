import { localTime, momentOf, offsetMinutes } from '#domain/calendar/local-time.ts'
import { timeZone } from '#web/format.ts'

/** Formats a moment (epoch ms) as the company's local time for date and time inputs. */
export const wallOf = (at: number): string =>
  new Date(at + offsetMinutes(timeZone(), at) * 60_000).toISOString().slice(0, 16)

/** Parses the value of such an input to a moment; null if empty. */
export const momentAt = (wall: string): number | null =>
  wall === '' ? null : momentOf(timeZone(), localTime(Date.parse(`${wall}Z`), 0))
