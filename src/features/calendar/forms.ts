import { z } from 'zod'
import { day, email, id, text, uuid } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { calendarConfigs } from '#providers/calendars/configs.ts'

/** The provider of calendars, whose fields are part of an account. */
export const calendarConfig = calendarConfigs[0]

const { googleClientId, googleClientSecret, calendarId, refreshToken } = shapeOf(calendarConfig.fields, {
  isDraft: true,
})

/** An account of a calendar as it is written; a secret that is left out or comes back masked stays. */
export const accountForm = z.strictObject({
  name: text(80).default(''),
  isActive: z.boolean().default(true),
  googleClientId,
  googleClientSecret: googleClientSecret.optional(),
  calendarId: calendarId.optional(),
  refreshToken: refreshToken.optional(),
})

/** The same where an account is changed: what is left out stays. */
export const accountChanges = z.strictObject({
  name: text(80).optional(),
  isActive: z.boolean().optional(),
  googleClientId: googleClientId.optional(),
  googleClientSecret: googleClientSecret.optional(),
  calendarId: calendarId.optional(),
  refreshToken: refreshToken.optional(),
})

/** Minutes in four weeks, the longest time before an event at which a calendar reminds of it. */
const MOST_MINUTES = 40_320

const moment = z.iso.datetime({ offset: true, error: 'Informe dia e horário.' })

const times = {
  /** Instants with their offset, or the first and last day (`YYYY-MM-DD`) of whole days. */
  start: z.union([day, moment], { error: 'Informe o começo.' }),
  end: z.union([day, moment], { error: 'Informe o fim.' }),
}

const fields = {
  title: text(300, 1),
  ...times,
  description: text(8000).optional(),
  location: text(500).optional(),
  attendees: z.array(email).max(100, 'No máximo 100 convidados.').optional(),
  /** Minutes before its start; null: as the calendar reminds of everything. */
  reminderMinutes: z
    .number({ error: 'Informe os minutos.' })
    .int('Informe um número inteiro.')
    .min(0, 'Informe de 0 a 40320 minutos.')
    .max(MOST_MINUTES, 'Informe de 0 a 40320 minutos.')
    .nullable()
    .optional(),
  hasMeet: z.boolean().optional(),
  /** Attendees are notified by e-mail. */
  notifies: z.boolean().optional(),
}

/** An event as it is made; the same `id` again is the same event. */
export const eventForm = z.strictObject({ ...fields, id: uuid.optional(), configId: id })

/** What of an event is changed; `etag` is of the version that was changed. */
export const eventChanges = z.strictObject({
  ...fields,
  title: fields.title.optional(),
  start: times.start.optional(),
  end: times.end.optional(),
  etag: z.string().max(200).optional(),
})

/** What of an event has to be filled in before its times are read. */
export const eventFilled = z.object({ title: fields.title, start: z.string().min(10), end: z.string().min(10) })
