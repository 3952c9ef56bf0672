import { z } from 'zod'
import { isRecurrence } from '#domain/recurrence/rule.ts'
import { formFlag } from '#kit/fields.ts'

/** ISO time of a scheduled message, with any offset; the server checks separately how far ahead it may be. */
export const scheduleMoment = z.iso.datetime({ offset: true, error: 'Informe o dia e o horário.' })

/** Schedule of a message: time, whether an earlier reply of the customer cancels it, and an RRULE. */
export const scheduleFields = {
  scheduleDate: scheduleMoment.optional(),
  cancelOnReply: formFlag.optional(),
  repeat: z.string().max(200).refine(isRecurrence, 'Esta repetição não é possível.').optional(),
}
