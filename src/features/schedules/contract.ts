import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { channelCapabilities } from '#features/ledger/capability-fields.ts'
import { fileErrors } from '#features/ledger/errors.ts'
import { messageRow } from '#features/ledger/message-rows.ts'
import { albumFields, wishFields } from '#features/messages/file-fields.ts'
import { scheduleFields, scheduleMoment } from '#features/messages/schedule-fields.ts'
import { contract } from '#kit/contract.ts'
import { day, duration, flag, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'

/** Scheduled message. */
const scheduleRow = messageRow.extend({
  contactName: hidden(z.string(), maskName),
  whatsappId: z.number().int(),
  cancelOnReply: z.boolean(),
  repeat: z.string().nullable(),
})

/** API contract of scheduled messages' list; they are changed and canceled by `messages`. */
export const schedules = contract(at.schedules, {
  list: {
    summary: 'Mensagens agendadas dos atendimentos ao alcance de quem pede, a próxima primeiro',
    query: pageQuery.extend({
      page: z.coerce.number<number | string>().int().min(1).optional(),
      ticketId: id.optional(),
      /** Only tickets of this contact. */
      contactId: id.optional(),
      /** Messages already sent or canceled, newest first, instead of pending ones. */
      past: flag,
      /** First and last day, in the company's zone; author; connection. */
      from: day.optional(),
      to: day.optional(),
      user: id.optional(),
      whatsappId: id.optional(),
    }),
    returns: z.object({ messages: z.array(scheduleRow), ...pageAnswer }),
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  choices: {
    summary: 'Os horários de sempre para agendar, no fuso e no expediente da empresa, e os arquivos que um canal leva',
    query: z.object({ whatsappId: id.optional() }),
    returns: z.object({
      choices: z.array(z.object({ label: z.string(), at: isoTime })),
      /** Null if no connection was requested, or it does not exist. */
      carried: channelCapabilities.pick({ files: true, viewOnce: true, transcodes: true }).nullable(),
    }),
  },
  create: {
    summary: 'Agendar uma mensagem para um contato, com ou sem atendimento aberto; não reabre nem assume nenhum',
    mode: 'slow',
    body: z.strictObject({
      whatsappId: id,
      contactId: id,
      ...scheduleFields,
      scheduleDate: scheduleMoment,
      body: z.string().max(65_536).default(''),
      idFront: z.string().min(8).max(80).optional(),
      durationMs: duration.optional(),
      ...wishFields,
      ...albumFields,
    }),
    returns: z.object({ messages: z.array(messageRow) }),
    errors: [
      'ERR_NO_CONTACT_FOUND',
      'ERR_NO_WAPP_FOUND',
      'ERR_WAPP_CHECK_CONTACT',
      'ERR_NO_PERMISSION',
      'ERR_OTHER_OPEN_TICKET',
      'ERR_MESSAGE_EMPTY',
      'ERR_MESSAGE_TOO_LONG',
      ...fileErrors,
    ],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    schedules: typeof schedules
  }
}
