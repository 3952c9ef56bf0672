import { z } from 'zod'
import { isSubscription } from '#domain/webhook-endpoints/types.ts'
import { id, moment, text } from '#kit/fields.ts'

const isPlain = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const ids = z.array(id).max(100, 'No máximo 100.')

/** What a change of an endpoint may carry; what is left out stays. */
export const endpointChanges = z
  .strictObject({
    /** Left out of a new one: the host of its address. */
    name: text(60, 1),
    url: text(2000, 1).refine(isPlain, 'Informe um endereço que começa com https:// ou http://, sem senha.'),
    /** Types (`ticket.closed`), families (`ticket.*`) or everything (`*`). */
    events: z
      .array(text(60, 1).refine(isSubscription, 'Este evento não existe.'))
      .min(1, 'Escolha ao menos um evento.')
      .max(50, 'No máximo 50 eventos.'),
    isActive: z.boolean(),
    /** Sent as the `Authorization` of each delivery; null: none. It is never shown again. */
    authorization: text(2000)
      .refine((value) => /^[\x20-\x7e]*$/.test(value), 'Use apenas letras sem acento, números e sinais.')
      .nullable(),
    /** Only what happens by these connections, or in these queues; empty: all. */
    connectionIds: ids,
    queueIds: ids,
  })
  .partial()

/** What a new endpoint is made from. */
export const endpointForm = endpointChanges.required({ url: true, events: true })

/** Which deliveries of a period are sent again. */
export const resendForm = z
  .strictObject({
    from: moment,
    to: moment,
    /** Those that failed, or all. */
    which: z.enum(['failed', 'all']).default('failed'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'O fim vem depois do começo.' })
