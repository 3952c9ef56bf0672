import { proxyProblems } from '#domain/connections/proxies.ts'
import { firstOf, memberOf, present } from '#domain/present.ts'
import { AppError, required } from '#kit/errors.ts'
import { NO_VALUES, type StoredValues, shownValues } from '#kit/provider.ts'
import { channelAdapters } from '#providers/channels/adapters.ts'
import { channelConfigs } from '#providers/channels/configs.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { type OutboundProxy, proxyProblemOf } from '#server/outbound-proxy.ts'
import type { Platform } from '#server/platform.ts'
import { type CompanyProxy, type ProxyForm, proxies } from '../proxies-contract.ts'
import { proxyFields } from '../table.ts'
import { PROXY_CHANGED, toolsOf } from './adapters.ts'
import { countProxies, noteProxyTest, type ProxyRow, proxyRows, storeProxySecrets } from './queries-proxies.ts'
import { encryptionOf, type Of } from './values.ts'

const valuesOf = ({ secrets, ...config }: ProxyRow): StoredValues => ({ config, secrets })

const shown = (row: ProxyRow): CompanyProxy => ({
  id: row.id,
  ...(shownValues(proxyFields, valuesOf(row)) as ProxyForm),
  connectionCount: row.connectionCount,
  testedAt: row.testedAt?.getTime() ?? null,
  failure: row.failure,
})

/** Merges a form with the stored values; a masked password keeps its stored value and is sent nowhere else. */
function merged(platform: Platform, of: Of, form: ProxyForm, before: ProxyRow | undefined): StoredValues {
  return encryptionOf(platform, of).merge(proxyFields, form, before ? valuesOf(before) : NO_VALUES)
}

async function save(ctx: Ctx, form: ProxyForm, id: number | null): Promise<CompanyProxy> {
  const { password: _, ...values } = form
  const before = id === null ? undefined : required(await proxyRows.lock(ctx.db, id), 'ERR_NO_PROXY_FOUND')
  const written = before
    ? await proxyRows.update(ctx.db, before.id, values, ctx.now)
    : await proxyRows.insert(ctx.db, values, ctx.now)
  const { id: proxyId } = required(written, 'ERR_NO_PROXY_FOUND')
  const { secrets } = merged(ctx.platform, { tenantId: ctx.tenantId, proxyId }, form, before)
  await storeProxySecrets(ctx.db, proxyId, secrets)
  // Connections through this proxy are reopened by their holders.
  ctx.stale(`${PROXY_CHANGED} ${ctx.tenantId}`)
  return read(ctx.db, proxyId)
}

const read = async (db: Queryable, id: number): Promise<CompanyProxy> =>
  shown(required(await proxyRows.find(db, id), 'ERR_NO_PROXY_FOUND'))

/** Operations on proxies. */
export const proxyRoutes = implement(proxies, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await proxyRows.list(db, query)
    return { items: rows.map(shown), ...page }
  },
  stats: ({ db }) => countProxies(db),
  get: ({ db }, { params }) => read(db, params.id),
  create: (ctx, { body }) => save(ctx, body, null),
  update: (ctx, { params, body }) => save(ctx, body, params.id),
  remove: async (ctx, { params }) => {
    required(await proxyRows.lock(ctx.db, params.id), 'ERR_NO_PROXY_FOUND')
    await proxyRows.remove(ctx.db, params.id)
    return { message: 'ok' }
  },
  test: (ctx, { body }) => test(ctx, body),
})

/** Tests whether a channel is reached through a proxy; stores the result for a saved proxy. */
async function test(
  { platform, tenantId, user }: SlowCtx,
  { id, values }: { id?: number | undefined; values?: ProxyForm | undefined },
): Promise<{ ok: boolean; text: string }> {
  await platform.limits.use('providerTest', String(tenantId))
  const of = { tenantId, proxyId: id ?? 0 }
  const row = id === undefined ? undefined : await platform.db.read(tenantId, (db) => proxyRows.find(db, id))
  if (id !== undefined) required(row, 'ERR_NO_PROXY_FOUND')
  const stored = values ? merged(platform, of, values, row) : row && valuesOf(row)
  if (!stored) return { ok: false, text: 'Preencha os campos antes de testar.' }
  // A disabled proxy may be tested before it is enabled.
  const proxy = { ...(encryptionOf(platform, of).plain(stored) as unknown as OutboundProxy), isActive: true }
  const failure = await problemOf(platform, proxy)
  if (id !== undefined && !values)
    await unit(platform, { tenantId, user }, (ctx) => noteProxyTest(ctx.db, id, failure, ctx.now))
  return failure ? { ok: false, text: failure } : { ok: true, text: 'O proxy respondeu e deixou chegar ao canal.' }
}

/** Returns the reason why a channel is not reached through a proxy, as a sentence; null if it is. */
async function problemOf(platform: Platform, proxy: OutboundProxy): Promise<string | null> {
  const config = present(channelConfigs.find(({ isProxied }) => isProxied))
  const adapter = memberOf(channelAdapters, config.id)({}, toolsOf(platform, firstOf(config.types).type, { proxy }))
  try {
    await adapter.reach!()
    return null
  } catch (error) {
    const problem = proxyProblemOf(error)
    if (problem) return proxyProblems[problem]
    platform.log.warn({ err: error }, 'a proxy was tried and led nowhere')
    return error instanceof AppError && error.code === 'ERR_ADDRESS_REFUSED'
      ? proxyProblems.address
      : 'O proxy respondeu, mas o canal não respondeu por ele.'
  }
}
