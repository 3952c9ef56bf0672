import { z } from 'zod'
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
  /** Who works in it. */
  userIds: z.array(id).max(500, 'Escolha no máximo 500.'),
}

/** What a change of a queue may carry; what is left out stays. */
export const queueChanges = z.strictObject(fields).partial()

/** What a new queue is made from. */
export const queueForm = queueChanges.required({ queue: true })
