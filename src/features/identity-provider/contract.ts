import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { text } from '#kit/fields.ts'

// Plain http would carry the secret in the open; a provider on the same machine is what tests and developers have.
const isSafe = (address: string): boolean => {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, search, hash, username } = new URL(address)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && !search && !hash && !username
}

const issuer = text(300, 1).refine(isSafe, 'Informe um endereço https, como https://accounts.google.com.')

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use no máximo 253 caracteres.')
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'Informe domínios como empresa.com.br.')

const address = {
  isOn: z.boolean(),
  label: text(40, 3),
  issuer,
  clientId: text(300),
  domains: z.array(domain).max(50, 'Use no máximo 50 domínios.'),
}

/**
 * What the superadmin may know of the provider: of its secret the last four characters, and where it sends people back
 * to, null where the page was opened under a host that the installation does not know.
 */
const shown = z.object({ ...address, secretHint: z.string().nullable(), callbackUrl: z.string().nullable() })

/** What the superadmin sets; a secret that is left out stays as it is. */
export const providerForm = z.strictObject({ ...address, clientSecret: text(500, 1).optional() })

/** The settings as they are shown. */
export type Provider = z.output<typeof shown>

/** The provider of external logins (OpenID Connect), one for the installation. */
export const identityProvider = contract('identityProvider', {
  get: {
    method: 'GET',
    path: '/identity-provider',
    summary: 'O provedor de login externo',
    can: 'platform:read',
    mode: 'slow',
    returns: shown,
  },
  save: {
    method: 'PUT',
    path: '/identity-provider',
    summary: 'Configurar o provedor de login externo',
    can: 'platform:write',
    mode: 'slow',
    audit: true,
    body: providerForm,
    returns: shown,
    errors: ['ERR_VALIDATION'],
    touches: ['identityProvider'],
  },
  test: {
    method: 'POST',
    path: '/identity-provider/test',
    summary: 'Perguntar a um provedor quem ele é',
    can: 'platform:write',
    mode: 'slow',
    body: z.strictObject({ issuer }),
    returns: z.object({ issuer: z.string(), asksAt: z.string(), ms: z.number().int() }),
    errors: ['ERR_ADDRESS_REFUSED', 'ERR_OUTSIDE_CALL', 'ERR_EXTERNAL_ISSUER'],
  },
})
