import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { AppError, fail } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { transactionTime } from '#server/db/db.ts'
import { writeOnce } from '#server/db/directory-steps.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import type { RequestInfo, SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { CHALLENGE_MS, isOwnChallenge, newChallenge } from './challenge.ts'
import { findPasskey, insertPasskey, listPasskeys, markPasskey } from './queries.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'

// Twelve megabytes, loaded when a passkey is first used.
const webAuthn = () => import('@simplewebauthn/server')

const MOST = 20
const LOGIN = 'login'
/** Signature algorithms of authenticators: EdDSA, ES256, RS256. */
const supportedAlgorithmIDs = [-8, -7, -257]
const purposeOf = (tenantId: number, userId: number): string => `new ${tenantId}:${userId}`

/** Returns the browser's options for creating a passkey; existing ones are excluded. */
export async function registrationOptions(
  { platform, tenantId, user, now }: SlowCtx,
  request: RequestInfo,
  person: { name: string; email: string },
) {
  const known = await platform.db.read(tenantId, (db) => listPasskeys(db, user.id))
  if (known.length >= MOST) fail('ERR_PASSKEY_LIMIT')
  const { rpId } = await relyingPartyOf(platform, request)
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: 'Guichê',
    rpID: rpId,
    userName: person.email,
    userDisplayName: person.name,
    // Returned by a login to identify the key's owner: ids without personal data.
    userID: new Uint8Array(Buffer.from(`${tenantId}:${user.id}`)),
    challenge: newChallenge(platform.secrets, purposeOf(tenantId, user.id), now),
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map((one) => ({ id: one.credential_id, transports: one.transports })),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Verifies and stores the passkey that a browser created for a challenge. */
export async function storePasskey(ctx: SlowCtx, request: RequestInfo, input: { name: string; response: object }) {
  const { platform, tenantId, user } = ctx
  const relyingParty = await relyingPartyOf(platform, request)
  const { verifyRegistrationResponse } = await webAuthn()
  let repeated = ''
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response: input.response as RegistrationResponseJSON,
      supportedAlgorithmIDs,
      ...expectedOf(relyingParty),
      expectedChallenge: (challenge) => {
        repeated = challenge
        return isOwnChallenge(platform.secrets, purposeOf(tenantId, user.id), ctx.now, challenge)
      },
    }),
  )
  if (!registrationInfo) return fail('ERR_PASSKEY_INVALID')
  await claim(platform, { tenantId, userId: user.id }, repeated)
  const { credential, credentialBackedUp } = registrationInfo
  return unit(platform, ctx, async ({ db }) => {
    if ((await listPasskeys(db, user.id)).length >= MOST) fail('ERR_PASSKEY_LIMIT')
    return insertPasskey(db, {
      user_id: user.id,
      name: input.name,
      rp_id: relyingParty.rpId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      is_backed_up: credentialBackedUp,
    })
  })
}

/** Returns the browser's options for a login with any passkey of this host. */
export async function passkeyLoginOptions(platform: Platform, request: RequestInfo) {
  const { rpId } = await relyingPartyOf(platform, request)
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: rpId,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
    challenge: newChallenge(platform.secrets, LOGIN, platform.now()),
  })
}

/** Returns the owner of the passkey that answered a challenge; with user verification it counts as both factors. */
export async function checkPasskey(
  platform: Platform,
  request: RequestInfo,
  response: AuthenticationResponseJSON,
): Promise<{ tenantId: number; userId: number }> {
  await platform.limits.use('loginAddress', networkOf(request.ip), 'ERR_LIMIT_MAX')
  const now = platform.now()
  const handle = Buffer.from(String(response.response?.userHandle ?? ''), 'base64url').toString()
  const [, tenant, person] = /^(\d{1,15}):(\d{1,15})$/.exec(handle) ?? fail('ERR_PASSKEY_INVALID')
  const who = { tenantId: Number(tenant), userId: Number(person) }
  const relyingParty = await relyingPartyOf(platform, request)
  const row = await platform.db.read(who.tenantId, (db) => findPasskey(db, who.userId, response.id))
  if (!row || row.rp_id !== relyingParty.rpId) return fail('ERR_PASSKEY_INVALID')
  const { verifyAuthenticationResponse } = await webAuthn()
  let repeated = ''
  const { verified: isRight, authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response,
      ...expectedOf(relyingParty),
      expectedChallenge: (challenge) => {
        repeated = challenge
        return isOwnChallenge(platform.secrets, LOGIN, now, challenge)
      },
      credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: row.counter },
    }),
  )
  if (!isRight) return fail('ERR_PASSKEY_INVALID')
  await claim(platform, who, repeated)
  await platform.db.write(who.tenantId, (db) =>
    markPasskey(db, row.id, { counter: authenticationInfo.newCounter, last_used_at: transactionTime(db) }),
  )
  return who
}

const expectedOf = ({ rpId, origin }: RelyingParty) => ({
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
})

// Converts the package's own errors to error responses.
async function verified<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch {
    throw new AppError('ERR_PASSKEY_INVALID')
  }
}

// Each challenge opens one door, once.
async function claim(platform: Platform, who: { tenantId: number; userId: number }, challenge: string): Promise<void> {
  const now = platform.now()
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  const isFirst = await platform.db.asPlatform((db) =>
    writeOnce(db, { kind: 'challenge', key: challenge, ...who, expiresAt, now }),
  )
  if (!isFirst) fail('ERR_PASSKEY_INVALID')
}
