import { partAfter } from '#domain/present.ts'
import { activeProvider, ask, callbackUrl } from '#features/identity-provider/server/index.ts'
import { findClaimed, proveEmail, publishProof } from '#features/users/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Identity, LoginAttempt } from '#providers/identity/port.ts'
import { addToDirectory, findInDirectory, forgetSubject } from '#server/db/directory.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { newToken } from '#server/secrets.ts'
import { enter, type Known } from './enter.ts'
import { findLink } from './queries-oidc.ts'

const COOKIE = 'guiche_external'
const PATH = '/api/auth'
const LIFETIME_SECONDS = 600
const BOUND_TO = 'cookie/external'
const LINK = 'oidc'

/** Login attempt that an encrypted cookie stores while the user is at the provider. */
type Begun = LoginAttempt & { readonly until: number }

/**
 * Begins a login at the provider: returns the URL; state, nonce and PKCE verifier are stored in an encrypted cookie for ten
 * minutes.
 */
export async function startExternal(platform: Platform, request: RequestInfo): Promise<{ url: string }> {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const { provider } = await activeProvider(platform)
  const begun: Begun = {
    state: newToken(),
    nonce: newToken(),
    verifier: newToken(),
    redirectUri: required(await callbackUrl(platform, request), 'ERR_EXTERNAL_ADDRESS'),
    until: platform.now().getTime() + LIFETIME_SECONDS * 1000,
  }
  request.setCookie(COOKIE, platform.secrets.encrypt(JSON.stringify(begun), BOUND_TO), {
    path: PATH,
    maxAgeSeconds: LIFETIME_SECONDS,
  })
  return { url: await ask(provider.begin(begun)) }
}

/** Query parameters with which the provider redirects back. */
type Returned = {
  code?: string | undefined
  state?: string | undefined
  error?: string | undefined
  iss?: string | undefined
}

/**
 * Completes a login at the provider. Only existing, active users may log in: found by the provider's user id or, the first
 * time, by an e-mail that the provider has verified and that is proven to be the account's (decision 0017), or becomes so
 * because the company has verified its domain. The second factor is required as after a password.
 */
export async function finishExternal(platform: Platform, request: RequestInfo, returned: Returned) {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const begun = readBegun(platform, request.cookies[COOKIE])
  request.clearCookie(COOKIE, PATH)
  if (!begun || begun.until < platform.now().getTime() || returned.state !== begun.state)
    return fail('ERR_EXTERNAL_STATE')
  if (!(await platform.limits.isFirst(`external ${begun.state}`))) return fail('ERR_EXTERNAL_STATE')
  if (returned.error || !returned.code) return fail('ERR_EXTERNAL_REFUSED')
  const { provider, domains } = await activeProvider(platform)
  const identity = await ask(provider.finish(begun, returned), ({ cause: err }) =>
    platform.log.warn({ err, requestId: request.id }, 'external login refused'),
  )
  const known = await identify(platform, identity, domains)
  return enter(platform, request, known, 'oidc')
}

function readBegun(platform: Platform, cookie: string | undefined): Begun | null {
  try {
    return cookie ? (JSON.parse(platform.secrets.decrypt(cookie, BOUND_TO)) as Begun) : null
  } catch {
    return null
  }
}

async function identify(platform: Platform, identity: Identity, domains: readonly string[]): Promise<Known> {
  const { issuer, subject, isVerified } = identity
  const email = identity.email.toLowerCase()
  if (!email || !isVerified) return fail('ERR_EXTERNAL_EMAIL')
  if (domains.length > 0 && !domains.includes(partAfter(email, '@'))) return fail('ERR_EXTERNAL_DOMAIN')
  const key = `${issuer} ${subject}`
  const [linked, claimed] = await platform.db.asPlatform(async (db) => [
    await findInDirectory(db, LINK, key),
    await findClaimed(db, email),
  ])
  const before = linked && (await living(platform, linked))
  if (before) return before
  if (claimed === 'unproven') return fail('ERR_EXTERNAL_UNPROVEN')
  const person =
    claimed && (await living(platform, { tenant_id: claimed.tenantId, subject_id: String(claimed.userId) }))
  if (!claimed || !person) return fail('ERR_EXTERNAL_USER')
  if (!claimed.isProven) {
    const proven = await platform.db.asPlatform((db) => proveEmail(db, platform, person, email))
    await publishProof(platform, proven)
    if (!proven?.isHeld) return fail('ERR_EXTERNAL_UNPROVEN')
  }
  await platform.db.asPlatform(async (db) => {
    // A reassigned e-mail has another user id at the provider, and is therefore another person.
    const other = await findLink(db, { ...person, issuer })
    if (other) fail('ERR_EXTERNAL_USER')
    if (linked) await forgetSubject(db, LINK, linked.tenant_id, linked.subject_id)
    const data = { issuer }
    await addToDirectory(db, { kind: LINK, key, tenantId: person.tenantId, subjectId: String(person.userId), data })
  })
  return person
}

async function living(platform: Platform, found: { tenant_id: number; subject_id: string }): Promise<Known | null> {
  const actor = await platform.actors.get(`${found.tenant_id}:${found.subject_id}`)
  return actor && { tenantId: found.tenant_id, userId: actor.id }
}
