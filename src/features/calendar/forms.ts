import { z } from 'zod'
import { day, email, id, text, uuid } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { calendarConfigs } from '#providers/calendars/configs.ts'

/** Calendar provider, whose configuration fields are part of an account. */
export const calendarConfig = calendarConfigs[0]

const { googleClientId, googleClientSecret, calendarId, refreshToken } = shapeOf(calendarConfig.fields, {
  isDraft: true,
})

/** Schema of a calendar account; a secret that is omitted or masked remains unchanged. */
export const accountForm = z.strictObject({
  name: text(80).default(''),
  isActive: z.boolean().default(true),
  googleClientId,
  googleClientSecret: googleClientSecret.optional(),
  calendarId: calendarId.optional(),
  refreshToken: refreshToken.optional(),
})

/** Schema of changes to a calendar account; omitted fields remain unchanged. */
export const accountChanges = z.strictObject({
  name: text(80).optional(),
  isActive: z.boolean().optional(),
  googleClientId: googleClientId.optional(),
  googleClientSecret: googleClientSecret.optional(),
  calendarId: calendarId.optional(),
  refreshToken: refreshToken.optional(),
})

/** Maximum reminder time before an event, in minutes: four weeks. */
const MOST_MINUTES = 40_320

const moment = z.iso.datetime({ offset: true, error: 'Informe dia e horário.' })

const times = {
  /** Instants with offset, or the first and last day (`YYYY-MM-DD`) of an all-day event. */
  start: z.union([day, moment], { error: 'Informe o começo.' }),
  end: z.union([day, moment], { error: 'Informe o fim.' }),
}

const fields = {
  title: text(300, 1),
  ...times,
  description: text(8000).optional(),
  location: text(500).optional(),
  attendees: z.array(email).max(100, 'No máximo 100 convidados.').optional(),
  /** Minutes before the start; null: the calendar's default reminders. */
  reminderMinutes: z
    .number({ error: 'Informe os minutos.' })
    .int('Informe um número inteiro.')
    .min(0, 'Informe de 0 a 40320 minutos.')
    .max(MOST_MINUTES, 'Informe de 0 a 40320 minutos.')
    .nullable()
    .optional(),
  hasMeet: z.boolean().optional(),
  /** Whether attendees are notified by e-mail. */
  notifies: z.boolean().optional(),
}

/** Schema of a new event; repeating the same `id` does not create another. */
export const eventForm = z.strictObject({ ...fields, id: uuid.optional(), configId: id })

/** Schema of changes to an event; `etag` identifies the version that was edited. */
export const eventChanges = z.strictObject({
  ...fields,
  title: fields.title.optional(),
  start: times.start.optional(),
  end: times.end.optional(),
  etag: z.string().max(200).optional(),
})

/** Schema of the fields that must be filled in before the times are parsed. */
export const eventFilled = z.object({ title: fields.title, start: z.string().min(10), end: z.string().min(10) })
