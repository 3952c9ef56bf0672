import { findInDirectory } from '#server/db/directory.ts'
import type { RequestInfo } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'

/** Host and origin for which passkeys are created and accepted. */
export type RelyingParty = { rpId: string; origin: string }

/**
 * Returns the relying party of a request. With a public URL it is that one, or a company's domain verified by the
 * superadmin; other hosts in the request are not trusted. Without a public URL it is the request's host.
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
