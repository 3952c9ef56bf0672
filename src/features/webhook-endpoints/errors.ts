import type { ErrorPart } from '#kit/errors.ts'

/** Error responses to requests about webhooks. */
export const errors = {
  ERR_NO_WEBHOOK_FOUND: { status: 404, text: 'Webhook não encontrado.' },
  ERR_NO_DELIVERY_FOUND: { status: 404, text: 'Envio não encontrado.' },
  ERR_MAX_WEBHOOKS: { status: 409, text: 'Já há 50 webhooks. Exclua um antes de criar outro.' },
  ERR_WEBHOOK_OFF: { status: 409, text: 'Este webhook está desligado. Ligue-o antes de reenviar.' },
  ERR_WEBHOOK_OF_SETTINGS: {
    status: 409,
    text: 'Este webhook vem das configurações antigas da empresa: altere-o por lá, ou crie outro.',
  },
} as const satisfies ErrorPart

declare module '#kit/errors.ts' {
  interface Errors {
    webhookEndpoints: typeof errors
  }
}
