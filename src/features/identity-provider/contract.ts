import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import * as at from './addresses.ts'
import { issuer, providerFields, providerForm } from './forms.ts'

/**
 * What the superadmin may know of the provider: of its secret its end, and where it sends people back
 * to, null where the page was opened under a host that the installation does not know.
 */
const shown = z.object({ ...providerFields, secretHint: z.string().nullable(), callbackUrl: z.string().nullable() })

/** The settings as they are shown. */
export type Provider = z.output<typeof shown>

/** The provider of external logins (OpenID Connect), one for the installation. */
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
