import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { text } from '#kit/fields.ts'
import { shapeOf } from '#kit/provider.ts'
import { identityConfigs } from '#providers/identity/configs.ts'

/** The provider of identities, whose fields are part of the settings. */
export const identityConfig = identityConfigs[0]
const { clientSecret, ...values } = shapeOf(identityConfig.fields, { isDraft: true })

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use no máximo 253 caracteres.')
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'Informe domínios como empresa.com.br.')

const shape = {
  isOn: z.boolean(),
  label: text(40, 3),
  ...values,
  domains: z.array(domain).max(50, 'Use no máximo 50 domínios.'),
}

/**
 * What the superadmin may know of the provider: of its secret its end, and where it sends people back
 * to, null where the page was opened under a host that the installation does not know.
 */
const shown = z.object({ ...shape, secretHint: z.string().nullable(), callbackUrl: z.string().nullable() })

/** What the superadmin sets; a secret that is left out or masked stays as it is. */
export const providerForm = z.strictObject({ ...shape, clientSecret: clientSecret.optional() })

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
    body: z.strictObject({ issuer: shapeOf(identityConfig.fields).issuer }),
    returns: z.object({ issuer: z.string(), asksAt: z.string(), ms: z.number().int() }),
    errors: ['ERR_ADDRESS_REFUSED', 'ERR_OUTSIDE_CALL', 'ERR_EXTERNAL_ISSUER'],
  },
})
