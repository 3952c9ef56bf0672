import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { day, done, id, isoTime, uuid } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import { accountChanges, accountForm, eventChanges, eventForm } from './forms.ts'

const whole = z.number().int()

const account = z.object({
  id: whole,
  name: z.string(),
  isActive: z.boolean(),
  googleClientId: z.string(),
  calendarId: z.string(),
  /** Masked; '' if absent. */
  googleClientSecret: z.string(),
  refreshToken: z.string(),
  /** State of the account. new: not signed in yet; failed: settings refused; revoked: consent withdrawn. */
  status: z.enum(['new', 'ok', 'failed', 'revoked']),
  /** Problem as a sentence; '' if none. */
  problem: z.string(),
  /** E-mail of the calendar's owner; '' if unknown. */
  email: z.string(),
  syncedAt: isoTime.nullable(),
  /** Number of local changes that the provider has not received yet. */
  waiting: whole,
})

/** Account of a calendar, as API responses return it. */
export type CalendarAccount = z.output<typeof account>

/** API contract of the company's calendar accounts at a provider. */
export const calendarAccounts = contract(at.calendarAccounts, {
  list: {
    summary: 'Agendas da empresa, sem os segredos; e o endereço de volta que o aplicativo do Google precisa conhecer',
    returns: z.object({ data: z.array(account), backUrl: z.string().nullable() }),
  },
  choices: {
    summary: 'Agendas em que se podem criar eventos, e o que há de errado com elas',
    returns: z.object({
      data: z.array(account.pick({ id: true, name: true, status: true, problem: true, email: true, waiting: true })),
    }),
  },
  get: { summary: 'Uma agenda, sem os segredos', returns: account, errors: ['ERR_NO_CALENDAR_FOUND'] },
  create: { summary: 'Nova agenda', body: accountForm, returns: account, errors: ['ERR_MAX_CALENDARS'], audit: true },
  update: {
    summary: 'Alterar uma agenda; o segredo que volta mascarado fica',
    body: accountChanges,
    returns: account,
    errors: ['ERR_NO_CALENDAR_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma agenda e o que se sabe dela; no Google nada muda',
    returns: done,
    errors: ['ERR_NO_CALENDAR_FOUND'],
    audit: true,
  },
  login: {
    summary: 'Começar o login no Google: o endereço dele, que vale dez minutos, uma vez, para quem pediu',
    mode: 'slow',
    body: z.strictObject({ configId: id }),
    returns: z.object({ url: z.string() }),
    errors: ['ERR_NO_CALENDAR_FOUND', 'ERR_SIGNUP_SETTINGS', 'ERR_SIGNUP_ORIGIN', 'ERR_RATE_LIMIT'],
  },
  finish: {
    summary: 'Terminar o login com o que o Google trouxe de volta; o que esperava é enviado',
    mode: 'slow',
    body: z.strictObject({ state: z.string().min(1).max(200), code: z.string().min(1).max(4000) }),
    returns: account,
    errors: ['ERR_SIGNUP_STATE', 'ERR_SIGNUP_ORIGIN', 'ERR_NO_CALENDAR_FOUND', 'ERR_CALENDAR_LOGIN'],
    audit: true,
  },
  sync: {
    summary: 'Sincronizar uma agenda agora',
    returns: done,
    errors: ['ERR_NO_CALENDAR_FOUND', 'ERR_CALENDAR_NOT_CONNECTED'],
  },
})

const attendee = z.object({
  email: hidden(z.string(), maskValue),
  name: hidden(z.string(), maskName),
  response: z.enum(['', 'accepted', 'declined', 'tentative', 'needsAction']),
})

const event = z.object({
  id: z.string(),
  configId: whole,
  etag: z.string(),
  title: z.string(),
  description: z.string(),
  location: z.string(),
  /** Instants, or the first and last day (`YYYY-MM-DD`) of an all-day event. */
  start: z.string(),
  end: z.string(),
  isAllDay: z.boolean(),
  attendees: z.array(attendee),
  reminderMinutes: whole.nullable(),
  hasMeet: z.boolean(),
  /** URLs of the video call and of the event's page at the provider; '' if absent. */
  meetUrl: z.string(),
  url: z.string(),
  isRecurring: z.boolean(),
  isEditable: z.boolean(),
  /** Local change that the provider has not received yet; null: none. */
  waiting: z.enum(['insert', 'update', 'remove']).nullable(),
  /** Reason why the event waits or needs a decision; '' if none. */
  problem: z.string(),
  /** Whether the event was also changed or deleted at the provider, so that a user has to choose a version (`reconcile`). */
  isConflict: z.boolean(),
})

/** Event of a calendar, as API responses return it. */
export type CalendarEvent = z.output<typeof event>

/** API contract of calendar events. */
export const calendarEvents = contract(at.calendarEvents, {
  list: {
    summary: 'Eventos das agendas, o próximo primeiro, de um dia a outro (agora e um ano adiante, se não forem ditos)',
    query: z.object({
      configId: id.optional(),
      from: day.optional(),
      to: day.optional(),
      max: z.coerce.number<number | string>().int().min(1).max(100).default(50),
      cursor: z.string().max(500).optional(),
    }),
    returns: z.object({ data: z.array(event), nextCursor: z.string().nullable() }),
  },
  create: {
    summary: 'Novo evento, nunca no passado; o mesmo id de novo é o mesmo evento',
    mode: 'slow',
    body: eventForm,
    returns: event,
    errors: ['ERR_NO_CALENDAR_FOUND', 'ERR_CALENDAR_NOT_CONNECTED'],
    audit: true,
  },
  update: {
    summary: 'Alterar um evento que não passou; o que mudou no Google desde que foi lido é recusado',
    mode: 'slow',
    params: z.object({ id: uuid }),
    body: eventChanges,
    returns: event,
    errors: ['ERR_NO_CALENDAR_EVENT_FOUND', 'ERR_CALENDAR_CHANGED', 'ERR_CALENDAR_PAST', 'ERR_CALENDAR_READ_ONLY'],
    audit: true,
  },
  reconcile: {
    summary: 'Dizer se conta a nossa alteração ou a do Google, onde as duas se cruzaram',
    params: z.object({ id: uuid }),
    body: z.strictObject({ use: z.enum(['ours', 'theirs']) }),
    returns: event.nullable(),
    errors: ['ERR_NO_CALENDAR_EVENT_FOUND'],
    audit: true,
  },
  remove: {
    summary: 'Excluir um evento que não passou',
    mode: 'slow',
    params: z.object({ id: uuid }),
    returns: done,
    errors: ['ERR_NO_CALENDAR_EVENT_FOUND', 'ERR_CALENDAR_CHANGED', 'ERR_CALENDAR_PAST', 'ERR_CALENDAR_READ_ONLY'],
    audit: true,
  },
})

/** Maximum number of days of a view: a month and some days around it. */
const MOST_DAYS = 62

/** API contract of the calendar view: everything that has a date. */
export const calendar = contract(at.calendar, {
  view: {
    summary: `Previsões, tarefas, mensagens agendadas, feriados e eventos que a pessoa vê, de no máximo ${MOST_DAYS} dias`,
    query: z
      .object({ from: day, to: day })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * 86_400_000, {
        error: `Peça de 1 a ${MOST_DAYS} dias.`,
        path: ['to'],
      }),
    returns: z.object({
      forecasts: z.array(
        z.object({
          id: whole,
          name: z.string(),
          contactName: hidden(z.string(), maskName),
          value: z.string(),
          day: z.string(),
        }),
      ),
      tasks: z.array(
        z.object({
          id: whole,
          name: z.string(),
          day: z.string(),
          status: z.enum(['delayed', 'pending', 'finished']),
          ownerId: whole.nullable(),
        }),
      ),
      messages: z.array(
        z.object({
          id: z.string(),
          ticketId: whole,
          contactName: hidden(z.string(), maskName),
          body: z.string(),
          at: isoTime,
        }),
      ),
      holidays: z.array(z.object({ day: z.string(), name: z.string() })),
      events: z.array(event),
      /** Whether some kind has more entries than the view returns. */
      isCapped: z.boolean(),
    }),
  },
})

/** Entries of the calendar view, as API responses return them. */
export type CalendarView = z.output<(typeof calendar.view)['returns']>

/** Event: the events or the state of an account have changed. */
export const calendarChanges = events(at.calendarChanges, { changed: z.object({ configId: whole }) })

declare module '#kit/contract.ts' {
  interface Contracts {
    calendarAccounts: typeof calendarAccounts
    calendarEvents: typeof calendarEvents
    calendar: typeof calendar
  }
  interface Events {
    calendarChanges: typeof calendarChanges
  }
}
