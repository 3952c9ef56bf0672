import type { Feature } from '#server/feature.ts'
import { implement, type RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { identityProvider } from '../contract.ts'
import { errors } from '../errors.ts'
import { ask, providerOf } from './provider.ts'
import { keysOfProvider } from './queries.ts'
import { callbackUrl, changedProvider, type ProviderSettings, readProvider, saveProvider } from './settings.ts'

export { activeProvider, ask } from './provider.ts'
export { callbackUrl } from './settings.ts'

async function shown(platform: Platform, request: RequestInfo, { sealed: _, hint, ...rest }: ProviderSettings) {
  return { ...rest, secretHint: hint, callbackUrl: await callbackUrl(platform, request) }
}

const routes = implement(identityProvider, {
  get: async ({ platform }, { request }) => shown(platform, request, await readProvider(platform)),
  save: async ({ platform }, { body, request }) => {
    const settings = changedProvider(platform, await readProvider(platform), body)
    await saveProvider(platform, settings)
    return shown(platform, request, settings)
  },
  test: async ({ platform }, { body }) => {
    const started = performance.now()
    const answer = await ask(providerOf(platform, body).test())
    return { ...answer, ms: Math.round(performance.now() - started) }
  },
})

/** Server part of the feature `identity-provider`: login by an external identity provider (OpenID Connect). */
export const identityProviderFeature: Feature = {
  name: 'identity-provider',
  titles: { identityProvider: 'Provedor de login externo' },
  errors,
  routes,
  encryptedWith: keysOfProvider,
  boot: async (platform) => {
    const { isOn, label } = await readProvider(platform)
    return { external: isOn ? { label } : null }
  },
}
