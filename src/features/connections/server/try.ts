import { randomBytes } from 'node:crypto'
import { featureOf, includes } from '#domain/access/plan.ts'
import { proxyProblems } from '#domain/connections/proxies.ts'
import { fail, required } from '#kit/errors.ts'
import { NO_VALUES } from '#kit/provider.ts'
import { type ChannelConfig, channelType, storedType } from '#providers/channels/configs.ts'
import { type ChannelAdapter, isSendFailure } from '#providers/channels/port.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { type OutboundProxy, proxyProblemOf } from '#server/outbound-proxy.ts'
import { type Trial, type Tried, tryProvider } from '#server/providers/trial.ts'
import type { ConnectionTrial } from '../forms.ts'
import { doorAt, doorOf, isVirtual, makeAdapter, proxyOf, settingsFor, toolsOf } from './adapters.ts'
import { findConnection } from './queries.ts'
import { proxyRows } from './queries-proxies.ts'
import { mergeValues } from './values.ts'

const NEEDS_A_PHONE = 'O canal responde. Falta ligar o telefone: salve e leia o QR Code.'

/** Tests a filled-in form at the provider of a connection; nothing is saved or started. */
export async function tryConnection(ctx: SlowCtx, form: ConnectionTrial): Promise<Trial> {
  const { platform, tenantId } = ctx
  const known = channelType(form.type) ?? fail('ERR_VALIDATION', { type: 'Canal desconhecido.' })
  const { config } = known
  const { plan } = await platform.settings.get(String(tenantId))
  if (!includes(plan, featureOf(known.type))) fail('ERR_CHANNEL_NOT_ALLOWED')
  await platform.limits.use('providerTest', `${tenantId} connection`)
  const row = await rowOf(ctx, form)
  if (config.screen || (row && isVirtual(row.config)))
    return { ok: false, text: 'Este canal não tem provedor a quem perguntar.' }
  const of = { tenantId, id: row?.id ?? 0 }
  const before = row ? { config: row.config, secrets: row.secrets } : NO_VALUES
  const merged = mergeValues(platform, of, config.fields, ['config', form.config], before)
  const values = { config: { ...before.config, ...merged.config }, secrets: merged.secrets }
  const type = storedType(known, merged.config)
  // A new connection has no webhook path yet; only whether it can be called matters.
  const door = row?.webhook
    ? doorOf(platform, of, row.webhook)
    : doorAt(platform, randomBytes(16).toString('base64url'))
  const tools = {
    ...toolsOf(platform, type, { proxy: await chosenProxy(ctx, config, form.proxyId) }),
    settings: await settingsFor(platform, tenantId, config),
    door: config.webhook || config.settings?.webhook ? door : null,
  }
  const adapter = makeAdapter(platform, of, { type, ...values }, tools)!
  return tryProvider(platform, config.id, () => ask(adapter), sentenceOf)
}

async function rowOf({ platform, tenantId }: SlowCtx, { id, type }: ConnectionTrial) {
  if (id === undefined) return null
  const row = required(await platform.db.read(tenantId, (db) => findConnection(db, id)), 'ERR_NO_WAPP_FOUND')
  return channelType(row.type)?.config === channelType(type)?.config ? row : fail('ERR_NO_WAPP_FOUND')
}

async function chosenProxy(
  { platform, tenantId }: SlowCtx,
  { isProxied }: ChannelConfig,
  id: number | null,
): Promise<OutboundProxy | null> {
  if (!isProxied || id === null) return null
  const row = await platform.db.read(tenantId, (db) => proxyRows.find(db, id))
  return proxyOf(platform, tenantId, required(row, 'ERR_NO_PROXY_FOUND'))
}

/** Returns the result of the provider's test; without one, whether the provider can be reached. */
async function ask(adapter: ChannelAdapter): Promise<Tried> {
  const tried = (await adapter.test?.()) ?? { ok: true }
  if (!tried.ok || !adapter.reach) return tried.ok ? { ok: true } : tried
  await adapter.reach()
  return { ok: true, note: NEEDS_A_PHONE }
}

function sentenceOf(error: unknown): string | null {
  const problem = proxyProblemOf(error)
  if (problem) return proxyProblems[problem]
  return isSendFailure(error) ? error.message : null
}
