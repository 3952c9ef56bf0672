import type { EventTime } from '../event-time.ts'
import { idOf, isSet, numberOf, textOf, textsOf } from '../json.ts'
import { effect, explain, rendered } from '../run.ts'
import { within } from './fields.ts'
import type { NodeKind } from './kind.ts'

/** Calendar event as written; its texts may contain variables. */
type Written = {
  readonly calendarId: number | null
  readonly title: string
  readonly when: EventTime
  readonly description: string
  readonly location: string
  /** E-mail addresses, separated by commas or lines. */
  readonly attendees: string
  readonly notifies: boolean
  /** Whether the event has its own reminder, `reminderMinutes` before it; else the calendar's default reminders apply. */
  readonly reminds: boolean
  readonly reminderMinutes: number
}

declare module '../flow.ts' {
  interface Interactions {
    calendarEvent: Written
  }
}

declare module '../session.ts' {
  interface Effects {
    calendarEvent: Omit<Written, 'calendarId' | 'attendees' | 'reminds' | 'reminderMinutes'> & {
      readonly calendarId: number
      readonly attendees: readonly string[]
      readonly reminderMinutes: number | null
    }
  }
}

const MOST_DAYS = 365
const DAYS = 1
const MOST_MINUTES = 1440
const MINUTES = 30
const MOST_ATTENDEES = 20
const TYPES = ['today', 'tomorrow', 'days_from_interaction', 'custom'] as const
const ADDRESS = /^[^\s@<>()",;]{1,64}@[^\s@<>()",;]{1,190}$/

/** Makes an event in a calendar of the company. */
export const calendarEvent: NodeKind<'calendarEvent'> = {
  types: {
    GoogleAgendaField: {
      label: 'Google Agenda',
      form: [
        { key: 'googleConfigId', kind: 'calendar', label: 'Agenda' },
        { key: 'eventSummary', kind: 'template', isPlain: true, label: 'Título do evento' },
        {
          key: 'dateType',
          kind: 'choice',
          label: 'Dia',
          usual: 'custom',
          options: [
            ['today', 'No mesmo dia'],
            ['tomorrow', 'No dia seguinte'],
            ['days_from_interaction', 'Alguns dias depois'],
            ['custom', 'Em uma data'],
          ],
        },
        {
          key: 'daysFromInteraction',
          kind: 'number',
          label: 'Quantos dias depois',
          min: 0,
          max: MOST_DAYS,
          usual: DAYS,
          when: ({ dateType }) => textOf(dateType) === 'days_from_interaction',
        },
        {
          key: 'eventStartDateTime',
          kind: 'template',
          isPlain: true,
          label: 'Começo (31/12/2027 14:30; só 14:30 onde o dia já está dito)',
        },
        { key: 'eventEndDateTime', kind: 'template', isPlain: true, label: 'Fim (em branco, uma hora depois)' },
        { key: 'eventDescription', kind: 'template', isPlain: true, label: 'Descrição' },
        { key: 'eventLocation', kind: 'template', isPlain: true, label: 'Local' },
        { key: 'eventAttendees', kind: 'template', isPlain: true, label: 'E-mails dos convidados, com vírgulas' },
        { key: 'sendNotifications', kind: 'switch', usual: false, label: 'Avisar os convidados por e-mail' },
        { key: 'reminderBefore', kind: 'switch', usual: false, label: 'Lembrar antes' },
        {
          key: 'reminderMinutes',
          kind: 'number',
          label: 'Quantos minutos antes',
          min: 1,
          max: MOST_MINUTES,
          usual: MINUTES,
          when: ({ reminderBefore }) => isSet(reminderBefore),
        },
      ],
    },
  },
  read: (fields) => {
    const { eventAttendees: invited } = fields
    return {
      calendarId: idOf(fields['googleConfigId']),
      title: textOf(fields['eventSummary']),
      when: {
        type: TYPES.find((one) => one === fields['dateType']) ?? 'custom',
        days: within(numberOf(fields['daysFromInteraction']) ?? DAYS, 0, MOST_DAYS),
        start: textOf(fields['eventStartDateTime']),
        end: textOf(fields['eventEndDateTime']),
      },
      description: textOf(fields['eventDescription']),
      location: textOf(fields['eventLocation']),
      attendees: Array.isArray(invited) ? textsOf(invited).join(', ') : textOf(invited),
      notifies: isSet(fields['sendNotifications']),
      reminds: isSet(fields['reminderBefore']),
      reminderMinutes: within(numberOf(fields['reminderMinutes']) ?? MINUTES, 1, MOST_MINUTES),
    }
  },
  texts: ({ title, when, description, location, attendees }) => [
    ...[title, when.start, when.end, description, location, attendees],
  ],
  check: ({ calendarId, when }, { calendarIds }) => [
    ...(calendarId !== null && calendarIds.has(calendarId)
      ? []
      : [['deletedCalendar', 'cria um evento numa agenda que não existe.'] as const]),
    ...(when.type === 'custom' && when.start.trim() === ''
      ? [['missingTime', 'cria um evento sem dizer para quando.'] as const]
      : []),
  ],
  perform(run, { calendarId, title, when, description, location, attendees, notifies, ...reminder }) {
    if (calendarId === null) return explain(run, 'O evento não foi criado: falta a agenda.')
    const text = (template: string) => rendered(run, template).trim()
    const invited = text(attendees)
      .split(/[\s,;]+/)
      .filter((one) => ADDRESS.test(one))
    effect(run, {
      ...{ type: 'calendarEvent', calendarId, notifies },
      reminderMinutes: reminder.reminds ? reminder.reminderMinutes : null,
      when: { ...when, start: text(when.start), end: text(when.end) },
      ...{ title: text(title), description: text(description), location: text(location) },
      attendees: [...new Set(invited)].slice(0, MOST_ATTENDEES),
    })
  },
}
