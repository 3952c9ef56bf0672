import type { Configuration, CustomFetch } from 'openid-client'
import { AppError, fail } from '#kit/errors.ts'
import { outboundFetch } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { openSecret, readProvider } from './settings.ts'

const KNOWN_MS = 10 * 60_000
const SECONDS = 15

// What a provider is asked goes the way of every call to an address that a person wrote (decision B21).
const guarded =
  (platform: Platform): CustomFetch =>
  async (url, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : (body as string | null | undefined)
    const answer = await outboundFetch({ allow: platform.env.OUTBOUND_ALLOW }, url, {
      method,
      headers,
      maxBytes: 1024 * 1024,
      ...(sent ? { body: sent } : {}),
    })
    const isJson = { 'content-type': answer.headers['content-type'] ?? 'application/json' }
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: isJson })
  }

/** Asks an issuer for its addresses and keys' place; fails with ERR_EXTERNAL_ISSUER where it is no provider. */
export async function discover(
  platform: Platform,
  { issuer, clientId, secret }: { issuer: string; clientId: string; secret?: string },
): Promise<Configuration> {
  // Loaded with the first company that has one.
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  try {
    const config = await discovery(new URL(issuer), clientId, secret, undefined, {
      [customFetch]: guarded(platform),
      timeout: SECONDS,
      // The signature of an identity is checked, also where its transport was safe.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    })
    const { authorization_endpoint: asksAt } = config.serverMetadata()
    const isSafe = asksAt && (asksAt.startsWith('https:') || issuer.startsWith('http:'))
    return isSafe ? config : fail('ERR_EXTERNAL_ISSUER')
  } catch (error) {
    throw knownError(error) ?? new AppError('ERR_EXTERNAL_ISSUER')
  }
}

/** The catalogued error behind one of the package's; null when there is none. */
export function knownError(error: unknown): AppError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return null
}

const known = new WeakMap<Platform, { of: string; until: number; config: Configuration }>()

/** The provider that is switched on, ready to be talked to, and the domains whose people may come; fails when it is off. */
export async function activeProvider(platform: Platform): Promise<{ config: Configuration; domains: string[] }> {
  const { isOn, issuer, clientId, sealed, domains } = await readProvider(platform)
  if (!isOn || !sealed) return fail('ERR_EXTERNAL_OFF')
  const of = JSON.stringify([issuer, clientId, sealed])
  const before = known.get(platform)
  const now = platform.now().getTime()
  if (before?.of === of && before.until > now) return { config: before.config, domains }
  const config = await discover(platform, { issuer, clientId, secret: openSecret(platform, sealed) })
  known.set(platform, { of, until: now + KNOWN_MS, config })
  return { config, domains }
}
