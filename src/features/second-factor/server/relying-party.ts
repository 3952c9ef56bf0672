import { findInDirectory } from '#server/db/directory.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'

/** For which host passkeys are made and accepted, and from which address. */
export type RelyingParty = { rpId: string; origin: string }

/**
 * The place of a request. With a public address it is that one, or a company's own domain, which the superadmin has
 * verified; a host that somebody else put into the request is not believed. Without one it is the request's own host.
 */
export async function relyingPartyOf(platform: Platform, request: RequestInfo): Promise<RelyingParty> {
  const here: RelyingParty = { rpId: request.host.toLowerCase(), origin: request.origin }
  const { PUBLIC_URL } = platform.env
  if (!PUBLIC_URL) return here
  const { hostname, origin } = new URL(PUBLIC_URL)
  if (hostname === here.rpId) return { rpId: hostname, origin }
  const domain = await platform.db.asPlatform((db) => findInDirectory(db, 'domain', here.rpId))
  return domain ? here : { rpId: hostname, origin }
}
