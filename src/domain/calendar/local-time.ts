import { firstOf } from '../present.ts'

/** Local time in a zone: month 1–12, weekday 0 (Sunday) – 6, hour 0–23. */
export type LocalTime = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

/** Converts epoch ms to the local time of a zone `offsetMinutes` ahead of UTC (São Paulo: −180). */
export function localTime(at: number, offsetMinutes: number): LocalTime {
  const shifted = new Date(at + offsetMinutes * 60_000)
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    weekday: shifted.getUTCDay(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
  }
}

// Cached: creating a formatter takes forty times as long as using it, and there is at most one per zone.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, made)
  return made
}

/** Since 1973 zones change their offset only at whole quarters of an hour UTC; `MOST_QUARTERS` limits the cache. */
const QUARTERS_SINCE = Date.UTC(1973, 0)
const QUARTER_MS = 900_000
const MOST_QUARTERS = 4096
const offsets = new Map<string, number>()

/** Returns an IANA zone's offset from UTC at a moment, in minutes (east positive); throws RangeError for an unknown zone. */
export function offsetMinutes(zone: string, at: number): number {
  if (at < QUARTERS_SINCE) return readOffset(zone, at)
  const key = `${zone} ${Math.floor(at / QUARTER_MS)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const minutes = readOffset(zone, at)
  if (offsets.size >= MOST_QUARTERS) offsets.clear()
  offsets.set(key, minutes)
  return minutes
}

function readOffset(zone: string, at: number): number {
  const parts = formatOf(zone).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0
}

/** Formats a day as `YYYY-MM-DD`. */
export function isoDay({ year, month, day }: Pick<LocalTime, 'year' | 'month' | 'day'>): string {
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`
}

/** Returns the day (`YYYY-MM-DD`) at an epoch-millisecond moment in a zone (IANA name). */
export const dayIn = (zone: string, at: number): string => isoDay(localTime(at, offsetMinutes(zone, at)))

/** Formats a moment (epoch ms) in the local time of a zone (IANA name) as `DD/MM/YYYY HH:mm`. */
export function clockTextIn(zone: string, at: number): string {
  const { day, month, year, hour, minute } = localTime(at, offsetMinutes(zone, at))
  return `${pad(day)}/${pad(month)}/${year} ${pad(hour)}:${pad(minute)}`
}

/** Returns the local midnight `days` after a local time (negative: before). */
export function midnightAfter(time: LocalTime, days: number): LocalTime {
  return localTime(Date.UTC(time.year, time.month - 1, time.day + days), 0)
}

/**
 * Converts a local time of an IANA zone to epoch ms. A time that occurs twice (clock put back) gives the first; one in a gap
 * (clock put forward) is moved by the length of the gap.
 */
export function momentOf(zone: string, { year, month, day, hour, minute }: Omit<LocalTime, 'weekday'>): number {
  const wall = Date.UTC(year, month - 1, day, hour, minute)
  const offsets = [wall - 86_400_000, wall + 86_400_000].map((near) => offsetMinutes(zone, near))
  const moments = offsets.map((offset) => wall - offset * 60_000)
  const right = moments.filter((moment, index) => offsetMinutes(zone, moment) === offsets[index])
  return right.length > 0 ? Math.min(...right) : firstOf(moments)
}

/** Parses year, month and day of a date `YYYY-MM-DD`; NaN for a missing part. */
export function dateOf(date: string): Pick<LocalTime, 'year' | 'month' | 'day'> {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = date.split('-').map(Number)
  return { year, month, day }
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
