import { z } from 'zod'
import { rowId } from '#kit/fields/reference.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { color, id, text } from '#kit/fields.ts'

const fields = {
  queue: text(60, 1),
  color,
  isActive: z.boolean(),
  /** Hours of its own, before those of the company; null: none. */
  businessHours: businessWeek.nullable(),
  /** What who writes outside of them is told; empty: what the company tells. */
  messageBusinessHours: text(1000),
  /** Whether quiet tickets are resolved by themselves, after how many minutes, and what is said then (empty: what the company says). */
  autoClose: z.enum(['company', 'own', 'never'], { error: 'Escolha uma das opções.' }),
  autoCloseTime: z.enum(['10', '60', '1440', '7200', '14400'], { error: 'Escolha uma das opções.' }),
  autoCloseMessage: text(1000),
  /** How what waits in it is given to its people; null: as the company has it. */
  distribution: z.enum(['N', 'B', 'S', 'R'], { error: 'Escolha uma das opções.' }).nullable(),
  /** Where what nobody can have flows over to: after so many minutes, or (null) only while nobody is there. */
  overflowQueueId: rowId.nullable(),
  overflowMinutes: z
    .number({ error: 'Informe um número.' })
    .int('Informe um número inteiro.')
    .min(1, 'Informe ao menos 1.')
    .max(1440, 'Informe no máximo 1440.')
    .nullable(),
  /** Who works in it. */
  userIds: z.array(id).max(500, 'Escolha no máximo 500.'),
}

/** What a change of a queue may carry; what is left out stays. */
export const queueChanges = z.strictObject(fields).partial()

/** What a new queue is made from. */
export const queueForm = queueChanges.required({ queue: true })
