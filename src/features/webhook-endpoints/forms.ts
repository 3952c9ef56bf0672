import { z } from 'zod'
import { isSubscription } from '#domain/webhook-endpoints/types.ts'
import { id, moment, text } from '#kit/fields.ts'

const isPlain = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const ids = z.array(id).max(100, 'No máximo 100.')

/** Schema of changes to an endpoint; omitted fields remain unchanged. */
export const endpointChanges = z
  .strictObject({
    /** Name; default: the host of the URL. */
    name: text(60, 1),
    url: text(2000, 1).refine(isPlain, 'Informe um endereço que começa com https:// ou http://, sem senha.'),
    /** Types (`ticket.closed`), families (`ticket.*`) or all (`*`). */
    events: z
      .array(text(60, 1).refine(isSubscription, 'Este evento não existe.'))
      .min(1, 'Escolha ao menos um evento.')
      .max(50, 'No máximo 50 eventos.'),
    isActive: z.boolean(),
    /** `Authorization` header of each delivery; null: none. Never returned. */
    authorization: text(2000)
      .refine((value) => /^[\x20-\x7e]*$/.test(value), 'Use apenas letras sem acento, números e sinais.')
      .nullable(),
    /** Only events of these connections or queues; empty: all. */
    connectionIds: ids,
    queueIds: ids,
  })
  .partial()

/** Schema of a new endpoint. */
export const endpointForm = endpointChanges.required({ url: true, events: true })

/** Schema of resending the deliveries of a period. */
export const resendForm = z
  .strictObject({
    from: moment,
    to: moment,
    /** Failed deliveries, or all. */
    which: z.enum(['failed', 'all']).default('failed'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'O fim vem depois do começo.' })
