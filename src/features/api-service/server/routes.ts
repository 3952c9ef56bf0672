import { isKeyOf } from '#domain/keys.ts'
import { findConnection } from '#features/ledger/server/rows/index.ts'
import { requireReachable, saveCallback } from '#features/webhook-endpoints/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { PERMISSIONS } from '#kit/permissions.ts'
import { type Actor, may } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { addToDirectory, endSubjectAt, forgetSubject } from '#server/db/directory.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { uuidv7 } from '#server/ids.ts'
import { isWithin } from '#server/outbound.ts'
import { countOf, pageOf, pageStartOf } from '#server/paging.ts'
import type { Platform } from '#server/platform.ts'
import { encryptionAt } from '#server/providers/encryption.ts'
import { newToken } from '#server/secrets.ts'
import { apiKeyEvents, apiKeys } from '../contract.ts'
import { isForPrograms, USUAL_SCOPES } from '../forms.ts'
import { DIRECTORY_KIND } from './asking.ts'
import { countKeys, deleteKey, findKey, insertKey, type KeyRecord, lockKey, pageOfKeys, updateKey } from './queries.ts'

const MOST_KEYS = 50
const OVERLAP_MS = 24 * 3_600_000
const HINT = 4

const within = <T>({ platform, tenantId, user, audit }: SlowCtx, work: (ctx: Ctx) => Promise<T>) =>
  unit(platform, { tenantId, user, audit }, work)

const encryption = (platform: Platform, tenantId: number) => encryptionAt(platform, `${tenantId}/api_keys`)

/** Routes of API keys. */
export const keyRoutes = implement(apiKeys, {
  list: async ({ db }, { query }) => {
    const found = await pageOfKeys(db, query.searchParam, pageStartOf<[number, string]>(query, 2))
    const { rows, paging } = pageOf(found, (row) => [row.place, row.id])
    return { items: rows.map(shown), ...countOf(await countKeys(db)), ...paging }
  },
  get: async ({ db }, { params }) => shown(required(await findKey(db, params.id), 'ERR_NO_API_KEY_FOUND')),
  create: async (slow, { body }) => {
    const { platform, tenantId, user } = slow
    const { scopes = [...USUAL_SCOPES], networks = [], urlServiceStatus = '', urlMessageStatus = '' } = body
    requireNetworks(networks)
    for (const url of [urlServiceStatus, urlMessageStatus]) if (url) await requireReachable(platform, url)
    const { encrypt } = encryption(platform, tenantId)
    const [id, token] = [uuidv7(), newToken()]
    await within(slow, async (ctx) => {
      if ((await countKeys(ctx.db)) >= MOST_KEYS) fail('ERR_MAX_API_KEYS')
      required(await findConnection(ctx.db, body.sessionId), 'ERR_NO_WAPP_FOUND')
      const row = {
        ...{ name: body.name, scopes: allowed(ctx, user, scopes), is_active: body.isActive ?? true },
        ...{ per_minute: body.perMinute ?? 120, networks, takes_query: body.takesQuery ?? false },
        ...{ url_service_status: urlServiceStatus, url_message_status: urlMessageStatus },
        auth_token: body.authToken ? encrypt(body.authToken) : null,
      }
      const about = { connection_id: body.sessionId, user_id: user.id, hint: token.slice(-HINT) }
      await insertKey(ctx.db, { ...row, ...about, id }, ctx.now)
      await saveCallbacks(ctx, id)
      ctx.audit({ target: { id }, after: audited((await findKey(ctx.db, id))!) })
      publish(ctx, id, 'create')
    })
    await platform.db.asPlatform((db) => addToDirectory(db, entry(tenantId, id, token)))
    return { id, token }
  },
  update: async (slow, { params: { id }, body }) => {
    const { platform, tenantId, user } = slow
    if (body.networks) requireNetworks(body.networks)
    for (const url of [body.urlServiceStatus, body.urlMessageStatus]) if (url) await requireReachable(platform, url)
    const { encrypt } = encryption(platform, tenantId)
    return within(slow, async (ctx) => {
      const before = required(await lockKey(ctx.db, id), 'ERR_NO_API_KEY_FOUND')
      const { name, isActive, perMinute, networks, takesQuery, urlServiceStatus, urlMessageStatus, authToken } = body
      const values = {
        ...(name === undefined ? {} : { name }),
        ...(isActive === undefined ? {} : { is_active: isActive }),
        ...(body.scopes === undefined ? {} : { scopes: allowed(ctx, user, body.scopes, before.scopes) }),
        ...(perMinute === undefined ? {} : { per_minute: perMinute }),
        ...(networks === undefined ? {} : { networks }),
        ...(takesQuery === undefined ? {} : { takes_query: takesQuery }),
        ...(urlServiceStatus === undefined ? {} : { url_service_status: urlServiceStatus }),
        ...(urlMessageStatus === undefined ? {} : { url_message_status: urlMessageStatus }),
        ...(authToken === undefined ? {} : { auth_token: authToken ? encrypt(authToken) : null }),
      }
      await updateKey(ctx.db, id, values, ctx.now)
      await saveCallbacks(ctx, id)
      const after = (await findKey(ctx.db, id))!
      ctx.audit({ target: { id }, before: audited(before), after: audited(after) })
      publish(ctx, id, 'update')
      return shown(after)
    })
  },
  remove: async (slow, { params: { id } }) => {
    await within(slow, async (ctx) => {
      const before = required(await lockKey(ctx.db, id), 'ERR_NO_API_KEY_FOUND')
      await saveCallback(ctx, { source: id, format: 'hookMessage' }, null)
      await saveCallback(ctx, { source: id, format: 'hookSession' }, null)
      await deleteKey(ctx.db, id)
      ctx.audit({ target: { id }, before: audited(before) })
      publish(ctx, id, 'delete')
    })
    await slow.platform.db.asPlatform((db) => forgetSubject(db, DIRECTORY_KIND, slow.tenantId, id))
    return { message: 'ok' }
  },
  renew: async (slow, { params: { id } }) => {
    const { platform, tenantId } = slow
    const token = newToken()
    const until = await within(slow, async (ctx) => {
      const before = required(await lockKey(ctx.db, id), 'ERR_NO_API_KEY_FOUND')
      const until = new Date(ctx.now.getTime() + OVERLAP_MS)
      await updateKey(ctx.db, id, { hint: token.slice(-HINT), old_until: until }, ctx.now)
      ctx.audit({ target: { id }, after: { name: before.name } })
      publish(ctx, id, 'renew')
      return until
    })
    await platform.db.asPlatform(async (db) => {
      await endSubjectAt(db, DIRECTORY_KIND, tenantId, id, until)
      await addToDirectory(db, entry(tenantId, id, token))
    })
    return { id, token }
  },
})

const entry = (tenantId: number, id: string, key: string) => ({ kind: DIRECTORY_KIND, key, tenantId, subjectId: id })

function requireNetworks(networks: readonly string[]): void {
  for (const network of networks) {
    try {
      isWithin('127.0.0.1', [network])
    } catch {
      fail('ERR_VALIDATION', { networks: `“${network}” não é um endereço nem uma rede, como 203.0.113.0/24.` })
    }
  }
}

/** Returns the scopes that a user may give to a key: their own permissions, and those the key had before. */
function allowed(ctx: Ctx, user: Actor, scopes: readonly string[], before: readonly string[] = []): string[] {
  for (const scope of scopes) {
    const isGiven = isKeyOf(PERMISSIONS, scope) && isForPrograms(scope) && may(user, ctx.settings, scope)
    if (before.includes(scope) || isGiven) continue
    fail('ERR_VALIDATION', { scopes: `Você não pode dar a permissão “${scope}”.` })
  }
  return [...new Set(scopes)]
}

/** Stores the webhook endpoints for a key's callback URLs. */
async function saveCallbacks(ctx: Ctx, id: string): Promise<void> {
  const key = (await findKey(ctx.db, id))!
  const { encrypt: _, decrypt } = encryption(ctx.platform, ctx.tenantId)
  const authorization = key.auth_token === null ? null : decrypt(key.auth_token)
  const callbacks = [
    { format: 'hookMessage', url: key.url_message_status, events: ['message.created', 'message.status'] },
    { format: 'hookSession', url: key.url_service_status, events: ['channel.updated'] },
  ]
  for (const { format, url, events } of callbacks) {
    const wanted = { name: key.name, url, events, authorization, connectionIds: [key.connection_id] }
    await saveCallback(ctx, { source: id, format }, url === '' || !key.is_active ? null : wanted)
  }
}

const publish = (ctx: Ctx, id: string, action: 'create' | 'update' | 'renew' | 'delete'): void =>
  ctx.emit(apiKeyEvents.changed, { id, action }, { kind: 'permission', permission: 'api:write' })

const audited = (row: KeyRecord) => ({
  ...{ name: row.name, sessionId: row.connection_id, scopes: row.scopes, isActive: row.is_active },
  ...{ perMinute: row.per_minute, networks: row.networks, takesQuery: row.takes_query },
  ...{ urlServiceStatus: row.url_service_status, urlMessageStatus: row.url_message_status },
})

const shown = (row: KeyRecord): Returned<typeof apiKeys.get> => ({
  ...{ id: row.id, name: row.name, sessionId: row.connection_id, session: row.session },
  ...{ userId: row.user_id, user: row.user, isActive: row.is_active, scopes: row.scopes, hint: row.hint },
  ...{ oldUntil: row.old_until, perMinute: row.per_minute, networks: row.networks, takesQuery: row.takes_query },
  ...{ urlServiceStatus: row.url_service_status, urlMessageStatus: row.url_message_status },
  hasAuthToken: row.auth_token !== null,
  ...{ lastUsedAt: row.last_used_at, lastAddress: row.last_address },
  ...{ createdAt: row.created_at, updatedAt: row.updated_at },
})
