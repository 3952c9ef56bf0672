import { z } from 'zod'
import { day } from '#kit/fields.ts'

/** Schema of the account's form. */
export const accountForm = z.strictObject({
  asaasToken: z.string({ error: 'Informe a chave de API.' }).trim().min(1, 'Informe a chave de API.').max(500),
})

/** Schema of the form that begins to charge a company; `value` per month in reais, as decimal text. */
export const startForm = z.strictObject({
  value: z
    .string({ error: 'Informe o valor.' })
    .trim()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'Informe um valor em reais.')
    .refine((value) => Number(value) > 0, 'Informe um valor maior que zero.'),
  nextDueDate: day,
})
