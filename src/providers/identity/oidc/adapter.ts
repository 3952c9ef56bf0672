import { createHash } from 'node:crypto'
import type { Configuration, CustomFetch } from 'openid-client'
import { firstOf, present } from '#domain/present.ts'
import { AppError } from '#kit/errors.ts'
import { type IdentityTools, identityFailure, type MakeIdentityAdapter } from '../port.ts'

// Loaded at the first such login, because few companies use it.
const library = () => import('openid-client')

const SECONDS = 15
const MAX_BYTES = 1024 * 1024

/** Creates the OpenID Connect adapter, with PKCE, state and nonce; the provider's metadata is fetched once. */
export const oidcAdapter: MakeIdentityAdapter = (values, tools) => {
  const [issuer, clientId, secret] = ['issuer', 'clientId', 'clientSecret'].map((name) => String(values[name] ?? ''))
  let known: Configuration | undefined
  const provider = async () => {
    known ??= await discover({ issuer: issuer!, clientId: clientId!, secret: secret! }, tools)
    return known
  }
  return {
    async test() {
      const { issuer: name, authorization_endpoint: asksAt } = (await provider()).serverMetadata()
      return { issuer: name, asksAt: new URL(asksAt!).host }
    },
    async begin({ state, nonce, verifier, redirectUri }) {
      const { buildAuthorizationUrl } = await library()
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async finish({ state, nonce, verifier, redirectUri }, returned) {
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(returned)) if (value) url.searchParams.set(name, value)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
      const { authorizationCodeGrant } = await library()
      const tokens = await authorizationCodeGrant(await provider(), url, checks).catch((error: unknown) => {
        throw knownError(error) ?? identityFailure('refused', error)
      })
      const { iss, sub, email, email_verified } = present(tokens.claims())
      return { issuer: iss, subject: sub, email: String(email ?? ''), isVerified: email_verified === true }
    },
  }
}

// Calls to a provider are guarded like all calls to URLs entered by people.
const guarded =
  ({ fetch }: IdentityTools): CustomFetch =>
  async (url, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : ''
    const answer = await fetch(url, { method, headers, maxBytes: MAX_BYTES, ...(sent ? { body: sent } : {}) })
    const contentType = firstOf([answer.headers['content-type'] ?? 'application/json'].flat())
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: { 'content-type': contentType },
    })
  }

// Without a client id there is no login, but the issuer can be discovered before one is issued.
async function discover(
  { issuer, clientId, secret }: { issuer: string; clientId: string; secret: string },
  tools: IdentityTools,
): Promise<Configuration> {
  const client = await library()
  try {
    const config = await client.discovery(new URL(issuer), clientId || 'teste', secret || undefined, undefined, {
      [client.customFetch]: guarded(tools),
      timeout: SECONDS,
      // The signature of an identity is checked, even if its transport was secure.
      execute: [
        client.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
      ],
    })
    const { authorization_endpoint: asksAt } = config.serverMetadata()
    if (asksAt && (asksAt.startsWith('https:') || issuer.startsWith('http:'))) return config
  } catch (error) {
    throw knownError(error) ?? identityFailure('no-provider', error)
  }
  throw identityFailure('no-provider', null)
}

/**
 * Returns the catalogued error among the causes of the package's error, thrown by the guard of outgoing calls; null if there
 * is none.
 */
function knownError(error: unknown): AppError | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return null
}
