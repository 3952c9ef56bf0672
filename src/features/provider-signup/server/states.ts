import { createHash, createHmac, randomBytes } from 'node:crypto'
import { fail } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import { publicOrigin } from '#server/http/public-origin.ts'
import type { RequestInfo, SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import { sha256 } from '#server/secrets.ts'
import { insertSignup, takeState } from './queries.ts'

const STATE_MS = 600_000

/** Made of the state alone, by a key that never leaves: nothing of it has to be kept, and nobody else can make it. */
export const verifierOf = ({ secrets }: Platform, state: string): string =>
  createHmac('sha256', secrets.derive('signup-verifier')).update(state).digest('base64url')

/** A state that begins with `names`, which hold no point, and the challenge (PKCE) that belongs to it. */
export function makeState(platform: Platform, names: readonly string[]): { state: string; challenge: string } {
  const state = [...names, randomBytes(32).toString('base64url')].join('.')
  return { state, challenge: createHash('sha256').update(verifierOf(platform, state)).digest('base64url') }
}

/** Notes that the person goes to a provider's login with this state, which holds ten minutes. */
export async function noteState(
  { platform, tenantId, user, now }: SlowCtx,
  provider: string,
  state: string,
): Promise<void> {
  const row = { userId: user.id, provider, stateHash: sha256(state), expiresAt: new Date(now.getTime() + STATE_MS) }
  await unit(platform, { tenantId, user }, ({ db }) => insertSignup(db, row))
}

/** Takes the state with which the person came back, once: which login it was, and to which provider; refused otherwise. */
export async function takenState(
  { platform, tenantId, user, now }: SlowCtx,
  state: string,
): Promise<{ id: number; provider: string }> {
  const taken = await unit(platform, { tenantId, user }, ({ db }) =>
    takeState(db, { userId: user.id, stateHash: sha256(state), now }),
  )
  return taken ?? fail('ERR_SIGNUP_STATE')
}

/** The address of a page of ours to which a provider sends people back: letter by letter the same for both steps. */
export async function backTo(platform: Platform, request: RequestInfo, path: string): Promise<string> {
  const origin = await publicOrigin(platform, request)
  return origin === null ? fail('ERR_SIGNUP_ORIGIN') : `${origin}${path}`
}
