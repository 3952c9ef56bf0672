import type { FastifyReply, FastifyRequest } from 'fastify'
import { includes } from '#domain/access/plan.ts'
import { fail } from '#kit/errors.ts'
import { type Actor, withScopes } from '#server/actors.ts'
import { findInDirectory } from '#server/db/directory.ts'
import { countAsUser } from '#server/http/bodies.ts'
import { bearerOf, type RequestInfo, requestInfo } from '#server/http/route.ts'
import { isWithin } from '#server/outbound.ts'
import type { Platform } from '#server/platform.ts'
import { findKey, type KeyRecord, noteUse } from './queries.ts'

/** Directory kind of API key tokens. */
export const DIRECTORY_KIND = 'api_key'

/** Program authenticated by an API key: the user it acts as, and the key. */
export type Program = { readonly actor: Actor; readonly key: KeyRecord; readonly info: RequestInfo }

/** Points per minute of the rate limit; a request costs `POINTS` divided by the key's own limit. */
const POINTS = 6000

/**
 * Authenticates a request's program: its token must be in the directory and belong to the key of the path (null: any key).
 * Throws 401 for any other token; 403 if the key is inactive, not accepted from this address, or the plan excludes the API.
 */
export async function programOf(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  { apiId, queryToken }: { apiId: string | null; queryToken?: string | undefined },
): Promise<Program> {
  const bearer = bearerOf(request)
  const token = bearer ?? queryToken
  if (!token) return fail('ERR_API_KEY')
  const found = await platform.db.askAsPlatform((db) => findInDirectory(db, DIRECTORY_KIND, token))
  const now = platform.now()
  if (!found || (found.expires_at && found.expires_at <= now)) return fail('ERR_API_KEY')
  if (apiId !== null && found.subject_id !== apiId) return fail('ERR_API_KEY')
  const { tenant_id: tenantId, subject_id: id } = found
  const key = await platform.db.read(tenantId, (db) => findKey(db, id))
  if (!key || (bearer === null && !key.takes_query)) return fail('ERR_API_KEY')
  if (!key.is_active) return fail('ERR_API_KEY_OFF')
  if (key.networks.length > 0 && !isWithin(request.ip, key.networks)) return fail('ERR_API_KEY_ADDRESS')
  const settings = await platform.settings.get(String(tenantId))
  if (settings.tenantStatus === 'inactive') return fail('ERR_TENANT_INACTIVE')
  if (!includes(settings.plan, 'api')) return fail('ERR_FEATURE_NOT_ALLOWED')
  const owner = await platform.actors.get(`${tenantId}:${key.user_id}`)
  if (!owner) return fail('ERR_API_KEY')
  await platform.limits.use('apiKey', id, 'ERR_RATE_LIMIT', Math.floor(POINTS / key.per_minute))
  countAsUser(request, `${tenantId}:key:${id}`)
  if (!key.last_used_at || now.getTime() - key.last_used_at.getTime() >= 60_000)
    await platform.db.write(tenantId, (db) => noteUse(db, id, request.ip, now))
  return { actor: withScopes(owner, key.scopes), key, info: requestInfo(request, reply) }
}
