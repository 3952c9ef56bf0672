import { fail } from '#kit/errors.ts'
import type { Feature } from '#server/feature.ts'
import { implement, type RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { identityProvider } from '../contract.ts'
import { errors } from '../errors.ts'
import { discover } from './provider.ts'
import { keysOfProvider } from './queries.ts'
import { callbackUrl, encryptSecret, type ProviderSettings, readProvider, saveProvider } from './settings.ts'

export { activeProvider, knownError } from './provider.ts'
export { callbackUrl } from './settings.ts'

async function shown(platform: Platform, request: RequestInfo, { sealed: _, hint, ...rest }: ProviderSettings) {
  return { ...rest, secretHint: hint, callbackUrl: await callbackUrl(platform, request) }
}

const routes = implement(identityProvider, {
  get: async ({ platform }, { request }) => shown(platform, request, await readProvider(platform)),
  save: async ({ platform }, { body, request }) => {
    const { clientSecret, ...rest } = body
    const { sealed, hint } = await readProvider(platform)
    const secret = clientSecret
      ? { sealed: encryptSecret(platform, clientSecret), hint: clientSecret.slice(-4) }
      : { sealed, hint }
    if (rest.isOn && !rest.clientId) fail('ERR_VALIDATION', { clientId: 'Informe o ID do cliente.' })
    if (rest.isOn && !secret.sealed) fail('ERR_VALIDATION', { clientSecret: 'Informe o segredo do cliente.' })
    const settings = { ...rest, ...secret }
    await saveProvider(platform, settings)
    return shown(platform, request, settings)
  },
  test: async ({ platform }, { body }) => {
    const started = performance.now()
    const { issuer, authorization_endpoint } = (
      await discover(platform, { issuer: body.issuer, clientId: 'teste' })
    ).serverMetadata()
    return { issuer, asksAt: new URL(authorization_endpoint!).host, ms: Math.round(performance.now() - started) }
  },
})

/** Who vouches for people beside their passwords. */
export const identityProviderFeature: Feature = {
  name: 'identity-provider',
  titles: { identityProvider: 'Provedor de login externo' },
  errors,
  routes,
  sealedWith: keysOfProvider,
  boot: async (platform) => {
    const { isOn, label } = await readProvider(platform)
    return { external: isOn ? { label } : null }
  },
}
