import type { EventSpan } from '#domain/calendar/events.ts'
import { dayIn, momentOf } from '#domain/calendar/local-time.ts'
import type { ReadCtx } from '#server/context.ts'

/** Returns the beginning of a day (`YYYY-MM-DD`) in a zone, `days` days later. */
export function dayStart(zone: string, day: string, days = 0): Date {
  const date = new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000)
  const at = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
  return new Date(momentOf(zone, { ...at, hour: 0, minute: 0 }))
}

/** Returns the present time and the company's day. */
export const timeOf = ({ now, settings }: Pick<ReadCtx, 'now' | 'settings'>) => ({
  now: now.getTime(),
  today: dayIn(settings.timezone, now.getTime()),
})

/** Converts a span to columns: an all-day event from midnight to midnight of the company's zone. */
export const spanColumns = (span: EventSpan, zone: string) =>
  span.isAllDay
    ? {
        ...{ starts_at: dayStart(zone, span.firstDay), ends_at: dayStart(zone, span.lastDay, 1) },
        ...{ first_day: span.firstDay, last_day: span.lastDay },
      }
    : { starts_at: new Date(span.start), ends_at: new Date(span.end), first_day: null, last_day: null }

/** Returns the span of a stored event. */
export const spanOf = (row: {
  readonly starts_at: Date
  readonly ends_at: Date
  readonly first_day: string | null
  readonly last_day: string | null
}): EventSpan =>
  row.first_day !== null && row.last_day !== null
    ? { isAllDay: true, firstDay: row.first_day, lastDay: row.last_day }
    : { isAllDay: false, start: row.starts_at.getTime(), end: row.ends_at.getTime() }
