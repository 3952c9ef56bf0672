import { z } from 'zod'
import { text } from '#kit/fields.ts'

/** Name and number of a new phone; the number in any Brazilian spelling, the channel the lab's own unless one is named. */
export const phoneForm = z.strictObject({
  name: text(60, 1),
  number: text(30, 1),
  /** The type of channel on which the phone writes. */
  type: z.string().max(60).optional(),
})
