import type { ProviderConfig } from '#kit/provider.ts'

/** Config of OpenID Connect; the default issuer is Google. */
export const oidcConfig = {
  id: 'oidc',
  name: 'OpenID Connect',
  fields: {
    issuer: {
      kind: 'url',
      label: 'Endereço do emissor (issuer)',
      isBase: true,
      required: true,
      default: 'https://accounts.google.com',
    },
    clientId: { kind: 'text', label: 'ID do cliente', max: 300, required: true, missing: 'Informe o ID do cliente.' },
    clientSecret: {
      kind: 'secret',
      label: 'Segredo do cliente',
      required: true,
      missing: 'Informe o segredo do cliente.',
      again: 'Informe o segredo de novo: o emissor mudou.',
    },
  },
} as const satisfies ProviderConfig
