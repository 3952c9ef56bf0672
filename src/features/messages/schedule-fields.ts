import { z } from 'zod'
import { isRecurrence } from '#domain/recurrence/rule.ts'
import { formFlag } from '#kit/fields.ts'

/** A moment to schedule for, with any offset; how far ahead it may lie is decided when it is asked for. */
export const scheduleMoment = z.iso.datetime({ offset: true, error: 'Informe o dia e o horário.' })

/** How a message is scheduled: its time, whether the customer's word before it cancels it, and an RRULE. */
export const scheduleFields = {
  scheduleDate: scheduleMoment.optional(),
  cancelOnReply: formFlag.optional(),
  repeat: z.string().max(200).refine(isRecurrence, 'Esta repetição não é possível.').optional(),
}
