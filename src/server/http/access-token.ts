import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { fail } from '#kit/errors.ts'
import type { Actor } from '../actors.ts'
import type { Platform } from '../platform.ts'

/** Claims of an access token: user, tenant, session, expiry (epoch ms). */
export type TokenClaims = {
  userId: number
  tenantId: number
  sessionId: string
  tokenVersion: number
  /** Another person opened the account with the master key. */
  byMasterKey: boolean
  expiresAt: number
}

/** Lifetime of an access token (decision A30). */
export const ACCESS_TOKEN_SECONDS = 15 * 60

/**
 * Signs an access token, which expires at `endsAt` if that comes first; claims named as the product's family does (product
 * facts 0.3).
 */
export function signAccessToken(
  platform: Platform,
  claims: Omit<TokenClaims, 'expiresAt' | 'byMasterKey'> &
    Partial<Pick<TokenClaims, 'byMasterKey'>> & { username: string; profile: string; endsAt?: Date | null },
): Promise<string> {
  const seconds = Math.floor(platform.now().getTime() / 1000)
  const end = Math.floor((claims.endsAt?.getTime() ?? Number.POSITIVE_INFINITY) / 1000)
  return new SignJWT({
    id: claims.userId,
    tenantId: claims.tenantId,
    sid: claims.sessionId,
    ver: claims.tokenVersion,
    ...(claims.byMasterKey ? { mk: true } : {}),
    username: claims.username,
    profile: claims.profile,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(seconds)
    .setExpirationTime(Math.min(seconds + ACCESS_TOKEN_SECONDS, end))
    .sign(platform.secrets.accessToken)
}

// By signing key, so that one process never mixes up two installations.
const verified = new WeakMap<Uint8Array, LRUCache<string, TokenClaims>>()

/** Returns the claims of a valid token; null if it is damaged, forged or expired. */
export async function verifyAccessToken(platform: Platform, token: string): Promise<TokenClaims | null> {
  const { accessToken } = platform.secrets
  const cache =
    verified.get(accessToken) ?? new LRUCache<string, TokenClaims>({ maxSize: 10_000, sizeCalculation: () => 1 })
  verified.set(accessToken, cache)
  const known = cache.get(token)
  if (known) return known.expiresAt > platform.now().getTime() ? known : null
  try {
    const { payload } = await jwtVerify(token, accessToken, {
      algorithms: ['HS256'],
      currentDate: platform.now(),
    })
    const claims: TokenClaims = {
      userId: Number(payload['id']),
      tenantId: Number(payload['tenantId']),
      sessionId: String(payload['sid']),
      tokenVersion: Number(payload['ver']),
      byMasterKey: payload['mk'] === true,
      expiresAt: payload.exp! * 1000,
    }
    cache.set(token, claims)
    return claims
  } catch {
    return null
  }
}

/** Returns the current user of a token; fails with 401 when the session is over, 403 when the tenant is inactive. */
export async function actorOf(
  platform: Platform,
  token: string | null,
): Promise<{ actor: Actor; claims: TokenClaims }> {
  const claims = token === null ? null : await verifyAccessToken(platform, token)
  if (!claims) return fail('ERR_SESSION_EXPIRED')
  const actor = await platform.actors.get(`${claims.tenantId}:${claims.userId}`)
  if (!actor || actor.tokenVersion !== claims.tokenVersion) return fail('ERR_SESSION_EXPIRED')
  if (await platform.revokedSessions.get(`${claims.tenantId}:${claims.sessionId}`)) return fail('ERR_SESSION_EXPIRED')
  const settings = await platform.settings.get(String(claims.tenantId))
  if (settings.tenantStatus === 'inactive') return fail('ERR_TENANT_INACTIVE')
  return { actor: claims.byMasterKey ? { ...actor, byMasterKey: true } : actor, claims }
}
