import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

/** Which account of a login is connected, as what, and by which PIN it is registered; none where it is already. */
export const connectForm = z.strictObject({
  account: z.string().max(60),
  name: text(60, 1),
  queueId: id.nullable().default(null),
  pin: z
    .string()
    .regex(/^(\d{6})?$/, 'Informe os seis dígitos do PIN.')
    .default(''),
})
