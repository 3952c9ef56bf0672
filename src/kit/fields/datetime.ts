import { isoDay, localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { timeFrom } from '../fields.ts'
import { isoDateOf, writtenDate } from './date.ts'
import { type FieldKind, type FieldOf, orNull } from './kind.ts'

/** Date and time field. */
export type DateTimeField = FieldOf<'datetime', string | null>

const moment = timeFrom<string>('Informe o dia e a hora.')

const pad = (value: number) => String(value).padStart(2, '0')

/** Formats a moment (ISO, UTC) as wall-clock time of a zone: AAAA-MM-DDTHH:MM. */
export function wallClock(iso: string, zone: string): string {
  const at = Date.parse(iso)
  const time = localTime(at, offsetMinutes(zone, at))
  return `${isoDay(time)}T${pad(time.hour)}:${pad(time.minute)}`
}

/** Returns the moment (ISO, UTC) at which the wall clock of a zone shows AAAA-MM-DDTHH:MM; null for any other text. */
export function momentOf(wall: string, zone: string): string | null {
  const utc = Date.parse(`${wall}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall) || Number.isNaN(utc)) return null
  const near = utc - offsetMinutes(zone, utc) * 60_000
  return new Date(utc - offsetMinutes(zone, near) * 60_000).toISOString()
}

/** Field kind for moments, stored as ISO time in UTC; displayed and entered in the reader's zone. */
export const datetime: FieldKind<DateTimeField, string | null> = {
  schema: (field) => orNull(moment, field),
  empty: null,
  column: 'timestamptz',
  sort: { type: 'timestamptz', last: 'infinity' },
  filter: 'range',
  samples: () => ({
    good: ['2026-11-20T12:00:00.000Z', '2028-02-29T23:59:00.000Z'],
    bad: ['2026-11-20', '', 'agora', 5, '2026-11-20T12:00:00-03:00', '2026-11-20T25:00:00Z'],
  }),
  toText: (value, _, { zone }) => {
    const [day = '', time = ''] = value === null ? [] : wallClock(value, zone).split('T')
    return value === null ? '' : `${writtenDate(day)} ${time}`
  },
  fromText: (text, _, { zone }) => {
    const [day = '', time = '00:00'] = text.trim().split(/[ T]+/)
    return text.trim() === '' ? null : (momentOf(`${isoDateOf(day)}T${time}`, zone) ?? text)
  },
}
