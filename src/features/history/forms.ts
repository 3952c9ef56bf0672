import { z } from 'zod'
import { id, moment } from '#kit/fields.ts'

/** Schema of a history import: maximum number of the newest messages per conversation, from `since` to `until`. */
export const historyForm = z.strictObject({
  whatsappId: id,
  limit: z.coerce
    .number<number | string>({ error: 'Informe quantas mensagens.' })
    .int('Informe um número inteiro.')
    .min(1, 'Informe ao menos 1.')
    .max(1000, 'No máximo 1.000 mensagens por conversa.')
    .default(100),
  since: moment.optional(),
  until: moment.optional(),
  /** Whether group conversations are imported too. */
  groups: z.boolean().default(true),
  tenantId: id.optional(),
})
