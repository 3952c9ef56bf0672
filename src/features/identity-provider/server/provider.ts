import { memberOf } from '#domain/present.ts'
import { AppError, type ErrorCode, fail } from '#kit/errors.ts'
import type { ProviderValues } from '#kit/provider.ts'
import { identityAdapters } from '#providers/identity/adapters.ts'
import { type IdentityAdapter, type IdentityFailure, isIdentityFailure } from '#providers/identity/port.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { identityConfig } from '../forms.ts'
import { plainProvider, readProvider } from './settings.ts'

const KNOWN_MS = 10 * 60_000

const codes: Readonly<Record<IdentityFailure['kind'], ErrorCode>> = {
  'no-provider': 'ERR_EXTERNAL_ISSUER',
  refused: 'ERR_EXTERNAL_REFUSED',
}

/** Returns the adapter of the provider with these settings. */
export const providerOf = (platform: Platform, values: ProviderValues): IdentityAdapter =>
  memberOf(identityAdapters, identityConfig.id)(values, {
    fetch: (address, request) => outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, address, request),
  })

/** Awaits a provider's answer; passes a failure to `note` and converts it to an error response. */
export async function ask<T>(question: Promise<T>, note: (failure: IdentityFailure) => void = () => {}): Promise<T> {
  return question.catch((error: unknown) => {
    if (!isIdentityFailure(error)) throw error
    note(error)
    throw new AppError(codes[error.kind])
  })
}

const known = new WeakMap<Platform, { of: string; until: number; provider: IdentityAdapter }>()

/** Returns the active provider and the permitted e-mail domains; throws if it is off. */
export async function activeProvider(platform: Platform): Promise<{ provider: IdentityAdapter; domains: string[] }> {
  const stored = await readProvider(platform)
  const { isOn, sealed, domains, hint: _, label: __, ...values } = stored
  if (!isOn || !sealed) return fail('ERR_EXTERNAL_OFF')
  const of = JSON.stringify([values, sealed])
  const before = known.get(platform)
  const now = platform.now().getTime()
  if (before?.of === of && before.until > now) return { provider: before.provider, domains }
  const provider = providerOf(platform, plainProvider(platform, stored))
  known.set(platform, { of, until: now + KNOWN_MS, provider })
  return { provider, domains }
}
