import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'

const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}=*$`), 'A inscrição do navegador está incompleta.')

const endpoint = z
  .url({ protocol: /^https$/, error: 'O endereço do serviço de avisos precisa começar com https://.' })
  .max(1000, 'O endereço do serviço de avisos é longo demais.')

/** Schema of a browser's push subscription (`PushSubscription.toJSON()`). */
const pushSubscription = z
  .strictObject({
    endpoint,
    expirationTime: z.number().nullish(),
    keys: z.strictObject({ p256dh: base64url(65), auth: base64url(16) }),
  })
  .meta({
    examples: [
      {
        endpoint: 'https://push.example/send/1',
        keys: {
          p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
          auth: 'BwcHBwcHBwcHBwcHBwcHBw',
        },
      },
    ],
  })

const timeZone = z
  .string()
  .max(60)
  .refine((zone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null
    } catch {
      return false
    }
  }, 'Este fuso horário não existe.')

const subscribed = z.object({
  isSubscribed: z.boolean(),
  /** End of the endpoint URL, from which a browser recognizes its own subscription. */
  endpointEnd: z.string().nullable(),
})

/** API contract of push notifications to devices on which the product is closed (RFC 8030). */
export const push = contract(at.push, {
  key: {
    summary: 'Chave pública com que os navegadores da empresa se inscrevem em avisos',
    mode: 'write',
    returns: z.object({ publicKey: z.string() }),
    errors: ['ERR_NO_PUSH_FOUND'],
  },
  get: {
    summary: 'Se este dispositivo recebe avisos',
    returns: subscribed,
    errors: ['ERR_SESSION_EXPIRED'],
  },
  subscribe: {
    summary: 'Receber avisos neste dispositivo, enquanto a sessão durar',
    body: z.strictObject({
      subscription: pushSubscription,
      /** Time zone of the device, to which quiet hours refer. */
      deviceInfo: z.strictObject({ timeZone: timeZone.optional() }).optional(),
    }),
    returns: subscribed,
    errors: ['ERR_SESSION_EXPIRED', 'ERR_PUSH_SUPPORT', 'ERR_PUSH_KEYS'],
    audit: true,
  },
  unsubscribe: {
    summary: 'Não receber mais avisos neste dispositivo',
    returns: subscribed,
    errors: ['ERR_SESSION_EXPIRED'],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    push: typeof push
  }
}
