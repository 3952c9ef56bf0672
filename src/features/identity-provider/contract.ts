import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'
import { issuer, providerFields, providerForm } from './forms.ts'

/**
 * Provider settings shown to the superadmin: the end of the secret, and the callback URL (null if the page was opened under
 * an unknown host).
 */
const shown = z.object({ ...providerFields, secretHint: z.string().nullable(), callbackUrl: z.string().nullable() })

/** Provider settings, as API responses return them. */
export type Provider = z.output<typeof shown>

/** API contract of the installation's external login provider (OpenID Connect). */
export const identityProvider = contract(at.identityProvider, {
  get: {
    summary: 'O provedor de login externo',
    mode: 'slow',
    returns: shown,
  },
  save: {
    summary: 'Configurar o provedor de login externo',
    mode: 'slow',
    audit: true,
    body: providerForm,
    returns: shown,
    errors: ['ERR_VALIDATION'],
  },
  test: {
    summary: 'Perguntar a um provedor quem ele é',
    mode: 'slow',
    body: z.strictObject({ issuer }),
    returns: z.object({ issuer: z.string(), asksAt: z.string(), ms: z.number().int() }),
    errors: ['ERR_ADDRESS_REFUSED', 'ERR_OUTSIDE_CALL', 'ERR_EXTERNAL_ISSUER'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    identityProvider: typeof identityProvider
  }
}
