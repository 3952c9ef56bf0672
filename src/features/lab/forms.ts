import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

/** Name and number of a new phone; the number in any Brazilian spelling (of a mailbox its address), the channel the lab's own unless one is named. */
export const phoneForm = z.strictObject({
  name: text(60, 1),
  number: text(200, 1),
  /** Type of the channel on which the phone writes. */
  type: z.string().max(60).optional(),
})

/** Input of a new group of phones; the first one is its admin. */
export const groupForm = z.strictObject({
  name: text(60, 1),
  phoneIds: z.array(id).min(1, 'Escolha quem participa.').max(50),
})
