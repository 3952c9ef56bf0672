import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

/** Schema of connecting an account: the account, its type, and the PIN for its registration; no PIN if registered already. */
export const connectForm = z.strictObject({
  account: z.string().max(60),
  name: text(60, 1),
  queueId: id.nullable().default(null),
  pin: z
    .string()
    .regex(/^(\d{6})?$/, 'Informe os seis dígitos do PIN.')
    .default(''),
})
