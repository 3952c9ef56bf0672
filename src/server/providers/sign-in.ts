import { createHash, createHmac, randomBytes } from 'node:crypto'
import { unit } from '../context.ts'
import { publicOrigin } from '../http/public-origin.ts'
import type { RequestInfo, SlowCtx } from '../http/route.ts'
import type { Platform } from '../platform.ts'
import { sha256 } from '../secrets.ts'
import { insertSignup, takeState } from './queries-sign-ins.ts'

// A signed-in user connects an account of a provider: its state is a row of the company, as a hash. Who signs in to the
// product itself (features/auth/server/oidc.ts) has no company yet: that state is in an encrypted cookie of the browser.

const STATE_MS = 600_000

/** Derives the PKCE verifier from the state with a secret key, so that it need not be stored and cannot be forged. */
export const verifierOf = ({ secrets }: Platform, state: string): string =>
  createHmac('sha256', secrets.derive('signup-verifier')).update(state).digest('base64url')

/** Returns a new state beginning with `names` (without points), and its PKCE challenge. */
export function makeState(platform: Platform, names: readonly string[]): { state: string; challenge: string } {
  const state = [...names, randomBytes(32).toString('base64url')].join('.')
  return { state, challenge: createHash('sha256').update(verifierOf(platform, state)).digest('base64url') }
}

/** Stores the state of a user's login, valid for ten minutes. */
export async function noteState(
  { platform, tenantId, user, now }: SlowCtx,
  provider: string,
  state: string,
): Promise<void> {
  const row = { userId: user.id, provider, stateHash: sha256(state), expiresAt: new Date(now.getTime() + STATE_MS) }
  await unit(platform, { tenantId, user }, ({ db }) => insertSignup(db, row))
}

/** Takes a returned state, once: returns its login and provider; undefined for any other state. */
export const takenState = (
  { platform, tenantId, user, now }: SlowCtx,
  state: string,
): Promise<{ id: number; provider: string } | undefined> =>
  unit(platform, { tenantId, user }, ({ db }) => takeState(db, { userId: user.id, stateHash: sha256(state), now }))

/**
 * Returns the absolute redirect URL of a provider, which must be identical in both steps; null for a host that the
 * installation does not know.
 */
export async function backTo(platform: Platform, request: RequestInfo, path: string): Promise<string | null> {
  const origin = await publicOrigin(platform, request)
  return origin && `${origin}${path}`
}
