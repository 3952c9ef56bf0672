import { isoDay, localTime, offsetMinutes } from '#domain/calendar/local-time.ts'
import { momentOf as momentIn } from '#kit/fields/datetime.ts'
import { formatMoney, timeZone } from '#web/format.ts'
import { t } from '#web/t.ts'
import type { CalendarEvent, CalendarView } from '../contract.ts'
import type { ScheduleEventData } from './schedule.ts'

/** Kinds of calendar entries. */
export const KINDS = ['event', 'forecast', 'task', 'message', 'holiday'] as const

/** Kind of a calendar entry. */
export type Kind = (typeof KINDS)[number]

/** Plural display names of the kinds. */
export const kindNames: Readonly<Record<Kind, string>> = {
  event: t('Eventos'),
  forecast: t('Previsões'),
  task: t('Tarefas'),
  message: t('Mensagens'),
  holiday: t('Feriados'),
}

/** Colours of the kinds, for dots and bars. */
const inks: Readonly<Record<Kind, string>> = {
  event: 'var(--g-brand-text)',
  forecast: 'var(--g-pos)',
  task: 'var(--g-warn)',
  message: 'var(--g-info)',
  holiday: 'var(--g-ink-2)',
}

/** Record of an entry. */
export type Payload =
  | { readonly kind: 'event'; readonly event: CalendarEvent }
  | { readonly kind: 'forecast' | 'task'; readonly id: number }
  | { readonly kind: 'message'; readonly ticketId: number }
  | { readonly kind: 'holiday' }

/** Entry of the calendar, in local time of the company's zone. */
export type Entry = ScheduleEventData<Payload>

const DAY_MS = 86_400_000
/** Displayed length of an entry without duration. */
const SHORT_MS = 30 * 60_000
const pad = (value: number) => String(value).padStart(2, '0')

/** Returns the day a number of days later (`YYYY-MM-DD`). */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Formats a moment (epoch ms) as local time of the company, `YYYY-MM-DD HH:mm:ss`. */
export function wallOf(at: number): string {
  const time = localTime(at, offsetMinutes(timeZone(), at))
  return `${isoDay(time)} ${pad(time.hour)}:${pad(time.minute)}:00`
}

/** Converts the company's local time `YYYY-MM-DD HH:mm:ss` to a moment (ISO). */
export const momentOf = (wall: string): string =>
  momentIn(wall.slice(0, 16).replace(' ', 'T'), timeZone()) ?? new Date().toISOString()

const wholeDays = (first: string, last = first) => ({
  start: `${first} 00:00:00`,
  end: `${dayAfter(last, 1)} 00:00:00`,
})

function ofEvent(event: CalendarEvent): Entry {
  const { id, title, isAllDay, start, end, waiting, isConflict } = event
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const times = isAllDay ? wholeDays(start, end) : { start: wallOf(from), end: wallOf(Math.max(to, from + SHORT_MS)) }
  const mark = isConflict ? '⚠ ' : waiting === null ? '' : '… '
  return {
    id: `event:${id}`,
    title: mark + (title || t('(sem título)')),
    ...times,
    color: inks.event,
    payload: { kind: 'event', event },
  }
}

/** Converts a view to entries of the shown kinds. */
export function entriesOf(view: CalendarView, shown: ReadonlySet<Kind>): Entry[] {
  const all: Entry[] = [
    ...view.holidays.map(
      ({ day, name }): Entry => ({
        ...{ id: `holiday:${day}:${name}`, title: name || t('Feriado'), ...wholeDays(day), color: inks.holiday },
        payload: { kind: 'holiday' },
      }),
    ),
    ...view.events.map(ofEvent),
    ...view.forecasts.map(
      ({ id, name, value, day }): Entry => ({
        ...{ id: `forecast:${id}`, title: `${name} · ${formatMoney(value)}`, ...wholeDays(day), color: inks.forecast },
        payload: { kind: 'forecast', id },
      }),
    ),
    ...view.tasks.map(
      ({ id, name, day, status }): Entry => ({
        ...{ id: `task:${id}`, title: status === 'finished' ? `✓ ${name}` : name, ...wholeDays(day), color: inks.task },
        payload: { kind: 'task', id },
      }),
    ),
    ...view.messages.map(({ id, ticketId, contactName, body, at }): Entry => {
      const from = Date.parse(at)
      const title = body.trim() ? `${contactName}: ${body.trim().slice(0, 80)}` : contactName
      const times = { start: wallOf(from), end: wallOf(from + SHORT_MS) }
      return { id: `message:${id}`, title, ...times, color: inks.message, payload: { kind: 'message', ticketId } }
    }),
  ]
  const known = new Set<string | number>()
  return all.filter(({ id, payload }) => {
    if (known.has(id) || !payload || !shown.has(payload.kind)) return false
    known.add(id)
    return true
  })
}

/** Returns the day of a local time. */
export const dayOfWall = (wall: string | Date): string => String(wall).slice(0, 10)
