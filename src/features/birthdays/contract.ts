import { z } from 'zod'
import { contactRow } from '#features/contacts/contract.ts'
import { contract } from '#kit/contract.ts'
import { formFlag, id, isoTime, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import * as at from './addresses.ts'

const { id: contactId, name, number, profilePicUrl, birthdayDate, blocked } = contactRow.shape

const birthday = z.object({
  ...{ id: contactId, name, number, profilePicUrl, birthdayDate, blocked },
  /** Days until the birthday, and the age reached then. */
  days: z.number().int(),
  age: z.number().int(),
  /** Result of this year's greeting: `code` is empty if sent, else the error code; null: not attempted. */
  greeting: z.object({ code: z.string(), text: z.string(), at: isoTime, whatsappId: z.number().int() }).nullable(),
})

const setting = z.object({
  whatsappId: z.number().int(),
  name: z.string(),
  type: z.string(),
  isOn: z.boolean(),
  hour: z.number().int(),
  message: z.string(),
  fileName: z.string().nullable(),
})

const hour = z.coerce
  .number<number | string>()
  .int()
  .min(0, 'Escolha uma hora do dia.')
  .max(23, 'Escolha uma hora do dia.')

/** API contract of contacts' birthdays and greetings, automatic or manual. */
export const birthdays = contract(at.birthdays, {
  list: {
    summary: 'Aniversariantes de hoje, da semana ou do mês, no fuso da empresa; 29/02 conta em 28/02 quando não há',
    query: pageQuery.omit({ searchParam: true }).extend({ range: z.enum(['today', 'week', 'month']).default('today') }),
    returns: z.object({ birthdays: z.array(birthday), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  settings: {
    summary: 'Como cada canal envia parabéns',
    returns: z.object({ settings: z.array(setting) }),
  },
  save: {
    summary: 'Ligar, desligar e escrever os parabéns de um canal, com ou sem arquivo',
    mode: 'slow',
    body: z.strictObject({ isOn: formFlag, hour, message: text(1000, 1), removeFile: formFlag }),
    returns: setting,
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
    audit: true,
  },
  send: {
    summary: 'Enviar agora os parabéns de hoje, a todos ou a alguns; quem já os recebeu neste ano não recebe de novo',
    body: z.strictObject({ whatsappId: id, contactIds: z.array(id).max(500).optional() }),
    returns: z.object({
      queued: z.number().int(),
      skipped: z.array(z.object({ contactId: z.number().int(), code: z.string() })),
    }),
    errors: ['ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
})

/** Birthday, as API responses return it. */
export type BirthdayRow = z.output<typeof birthday>
/** Greeting settings of a connection, as API responses return them. */
export type BirthdaySetting = z.output<typeof setting>

declare module '#kit/contract.ts' {
  interface Contracts {
    birthdays: typeof birthdays
  }
}
