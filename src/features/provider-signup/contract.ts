import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'
import { connectForm } from './forms.ts'

const account = z.object({
  /** Provider's id of the account. */
  account: z.string(),
  type: z.string(),
  name: z.string(),
  /** Display label, such as a phone number. */
  label: z.string(),
  /** Existing connection of the account in the company; null if none. */
  whatsappId: z.number().int().nullable(),
})

/** Account that may be connected after a login at a provider. */
export type SignupAccount = z.output<typeof account>

/** API contract of provider logins, which connect accounts without copying keys. */
export const providerSignups = contract(at.providerSignups, {
  begin: {
    summary: 'Começar o login em um provedor: o endereço dele, que vale dez minutos, uma vez, para quem pediu',
    mode: 'slow',
    body: z.strictObject({
      provider: z.string().max(60),
      /** Login variant of the provider; default: the first. */
      login: z.string().max(60).optional(),
    }),
    returns: z.object({ url: z.string() }),
    errors: [
      ...(['ERR_NO_PROVIDER_FOUND', 'ERR_CHANNEL_NOT_ALLOWED', 'ERR_SIGNUP_SETTINGS', 'ERR_SIGNUP_ORIGIN'] as const),
      'ERR_RATE_LIMIT',
    ],
  },
  finish: {
    summary: 'Terminar o login com o que o provedor trouxe de volta; responde o que pode ser conectado',
    mode: 'slow',
    body: z.strictObject({ state: z.string().min(1).max(200), code: z.string().min(1).max(4000) }),
    returns: z.object({ id: z.number().int(), accounts: z.array(account) }),
    errors: ['ERR_SIGNUP_STATE', 'ERR_SIGNUP_REFUSED', 'ERR_SIGNUP_ORIGIN'],
    audit: true,
  },
  connect: {
    summary: 'Conectar uma das contas do login, ou renovar o acesso da que já está conectada; com o PIN, registrá-la',
    mode: 'slow',
    body: connectForm,
    /** `problem`: reason why the number is connected but not registered. */
    returns: z.object({ whatsappId: z.number().int(), problem: z.string().nullable() }),
    errors: [
      ...(['ERR_NO_SIGNUP_FOUND', 'ERR_CONNECTION_TEST', 'ERR_ACCOUNT_TAKEN', 'ERR_MAX_CONNECTIONS'] as const),
      ...(['ERR_CHANNEL_NOT_ALLOWED', 'ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED', 'ERR_NO_WAPP_FOUND'] as const),
    ],
    audit: true,
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    providerSignups: typeof providerSignups
  }
}
