import { z } from 'zod'
import { text } from '#kit/fields.ts'

/** Name and number of a new phone; the number in any Brazilian spelling. */
export const phoneForm = z.strictObject({
  name: text(60, 1),
  number: text(30, 1),
})
