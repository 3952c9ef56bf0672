import { z } from 'zod'
import { rowId } from '#kit/fields/reference.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { color, id, text } from '#kit/fields.ts'

const fields = {
  queue: text(60, 1),
  color,
  isActive: z.boolean(),
  /** Business hours of the queue, which precede the company's; null: none. */
  businessHours: businessWeek.nullable(),
  /** Absence message; empty: the company's. */
  messageBusinessHours: text(1000),
  /** Auto-close rule of the queue, its time in minutes, and the message sent then (empty: the company's). */
  autoClose: z.enum(['company', 'own', 'never'], { error: 'Escolha uma das opções.' }),
  autoCloseTime: z.enum(['10', '60', '1440', '7200', '14400'], { error: 'Escolha uma das opções.' }),
  autoCloseMessage: text(1000),
  /** Distribution mode; null: the company's. */
  distribution: z.enum(['N', 'B', 'S', 'R'], { error: 'Escolha uma das opções.' }).nullable(),
  /** Overflow queue, and the waiting time in minutes, or (null) only while no agent is available. */
  overflowQueueId: rowId.nullable(),
  overflowMinutes: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(1, 'Informe ao menos 1.')
    .max(1440, 'Informe no máximo 1440.')
    .nullable(),
  /** Ids of the queue's users. */
  userIds: z.array(id).max(500, 'Escolha no máximo 500.'),
}

/** Schema of changes to a queue; omitted fields remain unchanged. */
export const queueChanges = z.strictObject(fields).partial()

/** Schema of a new queue. */
export const queueForm = queueChanges.required({ queue: true })
