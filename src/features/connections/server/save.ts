import { randomBytes } from 'node:crypto'
import { featureOf, includes, LIMITS } from '#domain/access/plan.ts'
import type { StopCause } from '#domain/connections/causes.ts'
import { startClosing } from '#features/attendance/server/bulk/index.ts'
import { resumeSending } from '#features/ledger/server/outbox/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { accountOf, type ProviderFields, type ProviderValues, type StoredValues, shownValues } from '#kit/provider.ts'
import { capabilitiesOf, channelType, settingsIdOf, storedType } from '#providers/channels/configs.ts'
import { type ChannelAdapter, isSendFailure } from '#providers/channels/port.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { Platform } from '#server/platform.ts'
import type { ConnectionDetail, ConnectionEdit, ConnectionForm, connections } from '../contract.ts'
import { isVirtual, reachConnection, standInOf } from './adapters.ts'
import { readFromProvider } from './keepers.ts'
import { publishStatus, stateOf } from './link.ts'
import {
  type ConnectionChange,
  chooseDefault,
  countConnections,
  findConnection,
  hasChatFlow,
  hasQueue,
  insertConnection,
  listConnections,
  lockConnection,
  type StoredConnection,
  updateConnection,
} from './queries.ts'
import { removeFreeState } from './queries-leases.ts'
import { noteOutage } from './queries-outages.ts'
import { proxyRows } from './queries-proxies.ts'
import { unreadText } from './queries-unread.ts'
import { isCodeShown, NO_CODE, shownRow } from './rows.ts'
import { decrypt, encrypt, mergeValues } from './values.ts'

/** Directory kinds: addresses that providers call, and accounts of their apps (decision B2). */
export const WEBHOOK_KIND = 'webhook' as const
export const ACCOUNT_KIND = 'account' as const

/** Returns the directory key of an account of a channel's provider. */
export const accountKey = (channelId: string, account: string): string => `${channelId}:${account}`

const valuesOf = ({ config, secrets }: StoredConnection): StoredValues => ({ config, secrets })
const fieldsOf = (type: string): ProviderFields => channelType(type)?.config.fields ?? {}

/** Returns a connection with its settings, secrets masked. */
export async function readConnection(ctx: ReadCtx | Ctx, id: number): Promise<ConnectionDetail> {
  const { platform, tenantId } = ctx
  const row = required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const webhookPath = row.webhook && `/api/hooks/${decrypt(platform, { tenantId, id }, row.webhook)}`
  const { qrcode, pairing_code, code_expires_at } = isCodeShown(row, ctx.now) ? row : NO_CODE
  return {
    ...shownRow(row),
    updatedAt: row.updated_at.getTime(),
    ...{ qrcode, pairingCode: pairing_code, codeExpiresAt: code_expires_at?.getTime() ?? null, retries: row.retries },
    codeSeconds: code_expires_at && Math.floor((code_expires_at.getTime() - ctx.now.getTime()) / 1000),
    isVirtual: isVirtual(row.config),
    destroyMessage: row.destroy_message ? 'enabled' : 'disabled',
    disableExternalIntegration: row.disable_external_integration ? 'enabled' : 'disabled',
    ignoreBussinesHours: row.ignores_hours ? 'enabled' : 'disabled',
    wordlist: row.watches_words ? 'enabled' : 'disabled',
    closeKeyWord: row.close_keywords,
    farewellMessage: row.farewell_message,
    config: shownValues(fieldsOf(row.type), valuesOf(row)),
    webhookPath,
    webhookUrl: webhookPath && `${platform.env.PUBLIC_URL?.replace(/\/$/, '') ?? ''}${webhookPath}`,
    ...{ refusedCalls: Number(row.refused_calls), unreadFields: unreadText(row.unread) },
    chatFlowId: row.chat_flow_id,
    proxyId: row.proxy_id,
  }
}

/**
 * Creates a connection of any type within the plan's limits, with its webhook address; returns its id. `config` may hold
 * settings of a channel with its own screen, `standIn` (channel that replaces the provider) or `server` (local server that
 * replaces it, `provideLocalServer`).
 */
export async function makeConnection(
  ctx: Ctx,
  made: {
    type: string
    name: string
    queueId: number | null
    status: 'CONNECTED' | 'OPENING' | 'DISCONNECTED'
    config: object
  },
): Promise<number> {
  if (!includes(ctx.settings.plan, featureOf(channelType(made.type)?.type ?? made.type)))
    fail('ERR_CHANNEL_NOT_ALLOWED')
  const { used, most } = await countConnections(ctx.db)
  if (used >= most) fail(LIMITS.connections.refusal)
  await requireQueue(ctx, made.queueId)
  const id = await insertConnection(ctx.db, { ...made, now: ctx.now })
  if (channelType(made.type)?.config.webhook && !isVirtual(made.config)) {
    const path = randomBytes(16).toString('base64url')
    await updateConnection(
      ctx.db,
      id,
      { webhook: encrypt(ctx.platform, { tenantId: ctx.tenantId, id }, path) },
      ctx.now,
    )
    await saveInDirectory(ctx.db, WEBHOOK_KIND, id, [path])
  }
  return id
}

/** Updates a connection of any type; every process reloads its adapter. */
export async function changeConnection(ctx: Ctx, id: number, change: ConnectionChange): Promise<void> {
  if (change.queueId !== undefined) await requireQueue(ctx, change.queueId)
  await updateConnection(ctx.db, id, change, ctx.now)
  ctx.stale(`connection ${ctx.tenantId}:${id}`)
  // Close keywords and ignored business hours are cached company data.
  const isCached = change.closeKeyWord !== undefined || change.ignoreBussinesHours !== undefined
  if (isCached) ctx.stale(`settings ${ctx.tenantId}`)
  await publishStatus(ctx, id)
}

async function requireProxy(ctx: Ctx, type: string, id: number | null | undefined): Promise<void> {
  if (!id) return
  if (!channelType(type)?.config.isProxied) fail('ERR_VALIDATION', { proxyId: 'Este canal não sai por um proxy.' })
  if (!(await proxyRows.lock(ctx.db, id))) fail('ERR_NO_PROXY_FOUND')
}

async function requireChatFlow(ctx: Ctx, id: number | null | undefined): Promise<void> {
  if (id && !(await hasChatFlow(ctx.db, id))) fail('ERR_NO_CHAT_FLOW_FOUND')
}

async function requireQueue(ctx: Ctx, queueId: number | null): Promise<void> {
  if (queueId !== null && !(await hasQueue(ctx.db, queueId))) fail('ERR_NO_QUEUE_FOUND')
}

/** Creates a connection from the form of its channel. */
export async function createConnection(ctx: Ctx, form: ConnectionForm): Promise<ConnectionDetail> {
  const known = channelType(form.type)
  if (!known) return fail('ERR_VALIDATION', { type: 'Canal desconhecido.' })
  const { fields, screen } = known.config
  if (screen) fail('ERR_VALIDATION', { type: `Este canal é criado na própria tela: ${screen}` })
  // Old type names are replaced by current ones.
  const type = storedType(known, form.config)
  const { type: _, name, queueId, config, ...rest } = form
  await requireProxy(ctx, type, rest.proxyId)
  await requireChatFlow(ctx, rest.chatFlowId)
  const id = await makeConnection(ctx, { type, name, queueId, status: 'DISCONNECTED', config: {} })
  const merged = mergeValues(ctx.platform, { tenantId: ctx.tenantId, id }, fields, ['config', config])
  const account = accountOf(fields, merged.config)
  await changeConnection(ctx, id, { ...merged, ...rest, account })
  return readConnection(ctx, id)
}

/** Changes a connection; fields left out are kept, and so are the settings of its channel outside of the form. */
export async function saveConnection(ctx: Ctx, id: number, change: ConnectionEdit): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const { config, ...rest } = change
  await requireProxy(ctx, row.type, rest.proxyId)
  await requireChatFlow(ctx, rest.chatFlowId)
  const changed = config && changedValues(ctx, row, config)
  await changeConnection(ctx, id, { ...rest, ...changed })
  // A new account name is not verified yet.
  const isOther = changed && sharesAddress(row.type) && changed.account !== row.account
  if (isOther) return setStatus(ctx, id, 'DISCONNECTED')
  // Data read with the old values may belong to another account.
  const known = channelType(row.type)
  if (changed && known && row.status === 'CONNECTED') readFromProvider(ctx, id, known.config)
  return readConnection(ctx, id)
}

function changedValues({ platform, tenantId }: Ctx, row: StoredConnection, config: ProviderValues): ConnectionChange {
  const fields = fieldsOf(row.type)
  const before = valuesOf(row)
  if (isVirtual(row.config)) fail('ERR_VALIDATION', { config: 'Este canal é do laboratório: nada se preenche nele.' })
  const merged = mergeValues(platform, { tenantId, id: row.id }, fields, ['config', config], before)
  const known = channelType(row.type)
  // Its conversations belong to another channel.
  if (known?.config.picked && storedType(known, merged.config) !== row.type)
    fail('ERR_VALIDATION', {
      [`config.${known.config.picked.variant}`]: 'É de outro tipo. Crie um canal novo para ele.',
    })
  return { ...merged, config: { ...before.config, ...merged.config }, account: accountOf(fields, merged.config) }
}

/**
 * Tests the settings at the provider and connects, now or once the connection is open. With `pairing` (digits of a number)
 * links a device anew by a code that is typed on it.
 */
export async function startConnection(
  ctx: SlowCtx,
  id: number,
  { pairing }: { pairing?: string | undefined } = {},
): Promise<ConnectionDetail> {
  const reached = required(await reachConnection(ctx.platform, ctx.tenantId, id), 'ERR_NO_WAPP_FOUND')
  if (pairing !== undefined && !reached.config.capabilities.pairingCode)
    fail('ERR_VALIDATION', { pairing: 'Este canal não tem código de pareamento.' })
  const tried: Tried = (await reached.adapter.test?.()) ?? { ok: true }
  if (!tried.ok) fail('ERR_CONNECTION_TEST', { config: tried.problem })
  const { platform, ...base } = ctx
  if (!reached.config.isPersistent)
    return unit(platform, base, (within) => {
      readFromProvider(within, id, reached.config)
      return setStatus(within, id, 'CONNECTED', tried.number)
    })
  return unit(platform, base, (within) => {
    readFromProvider(within, id, reached.config)
    return openAnew(within, id, { pairing, forgetsKeys: pairing !== undefined })
  })
}

/** Sets the webhook of a connection at its provider again, whatever address it calls now. */
export async function resetWebhook(ctx: SlowCtx, id: number): Promise<void> {
  const { adapter } = required(await reachConnection(ctx.platform, ctx.tenantId, id), 'ERR_NO_WAPP_FOUND')
  if (!adapter.setWebhook) fail('ERR_NO_WEBHOOK')
  await adapter.setWebhook().catch((error: unknown) => {
    if (!isSendFailure(error)) throw error
    fail('ERR_CONNECTION_TEST', { config: error.message })
  })
}

/** Links a device anew: the former link is deleted, and a new code shown. */
export async function renewCode(ctx: Ctx, id: number): Promise<ConnectionDetail> {
  requireLinking(required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND'))
  return openAnew(ctx, id, { forgetsKeys: true })
}

/** Ends a connection in both directions; a linked device is unlinked. */
export const endConnection = (ctx: Ctx, id: number): Promise<ConnectionDetail> => setStatus(ctx, id, 'DISCONNECTED')

/**
 * Stops sending on a connection whose provider refuses everything, with the cause; receiving continues. A connection
 * changed after `since` is unchanged.
 */
export const stopConnection = (
  platform: Platform,
  tenantId: number,
  id: number,
  cause: StopCause,
  since?: Date,
): Promise<void> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const row = await lockConnection(ctx.db, id)
    if (!row || row.status === 'DISCONNECTED' || (since && row.updated_at > since)) return
    const next = { status: 'DISCONNECTED', cause } as const
    await noteOutage(ctx.db, id, stateOf(row), next, ctx.now)
    await changeConnection(ctx, id, next)
  })

/** Makes one connection the default for new conversations. */
export async function setDefault(ctx: Ctx, id: number): Promise<void> {
  const row = required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  if (capabilitiesOf(row.type).begins !== 'anyone')
    fail('ERR_VALIDATION', { whatsappId: 'Por este canal não se começa uma conversa.' })
  const before = (await listConnections(ctx.db)).filter(({ is_default }) => is_default)
  await chooseDefault(ctx.db, id, ctx.now)
  for (const one of new Set([...before.map((other) => other.id), id])) await publishStatus(ctx, one)
}

/** Resolves all open or pending tickets of a connection in one bulk operation that can be undone. */
export async function closeAll(
  ctx: Ctx & { user: Actor },
  id: number,
  status: 'open' | 'pending',
  reasons: number | undefined,
): Promise<Returned<typeof connections.closeOpen>> {
  required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  return startClosing(ctx, { connectionId: id, status }, reasons === undefined ? {} : { reasons })
}

/** Whether events of a type's accounts arrive at an address that several connections share. */
const sharesAddress = (type: string): boolean => {
  const config = channelType(type)?.config
  return config?.app !== undefined || config?.settings?.webhook !== undefined || config?.settingsOf !== undefined
}

type Tried = Awaited<ReturnType<NonNullable<ChannelAdapter['test']>>>

const linksDevices = (type: string): boolean => {
  const { qr, pairingCode } = capabilitiesOf(type)
  return qr || pairingCode
}

function requireLinking({ type, config }: StoredConnection): void {
  if (!linksDevices(type) || standInOf(config)) fail('ERR_NO_LINK')
}

/** Makes a connection's holder reopen it, as after a start. */
async function openAnew(
  ctx: Ctx,
  id: number,
  { pairing, forgetsKeys }: { pairing?: string | undefined; forgetsKeys: boolean },
): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  // From now on, the phone brings messages written until a device is linked again.
  if (forgetsKeys && row.status === 'CONNECTED')
    await noteOutage(ctx.db, id, stateOf(row), { status: 'OPENING', cause: 'person' }, ctx.now)
  await updateConnection(
    ctx.db,
    id,
    { opening: row.opening + 1, pairing: pairing ?? null, ...(forgetsKeys ? { forgets_keys: true } : {}) },
    ctx.now,
  )
  return setStatus(ctx, id, 'OPENING')
}

async function setStatus(
  ctx: Ctx,
  id: number,
  status: 'OPENING' | 'CONNECTED' | 'DISCONNECTED',
  number?: string,
): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const config = channelType(row.type)?.config
  if (config && sharesAddress(row.type)) {
    // An account's events go to the one connection whose credentials the provider accepted first.
    const account = status === 'DISCONNECTED' ? null : row.account
    const taken = await saveInDirectory(
      ctx.db,
      ACCOUNT_KIND,
      id,
      account ? [accountKey(settingsIdOf(config), account)] : [],
    )
    if (taken.length > 0) fail('ERR_ACCOUNT_TAKEN')
  }
  const isEnded = status === 'DISCONNECTED'
  const isUnlinked = isEnded && linksDevices(row.type)
  if (isUnlinked) await removeFreeState(ctx.db, id)
  const cause = isEnded ? 'person' : null
  await noteOutage(ctx.db, id, stateOf(row), { status, cause }, ctx.now)
  await changeConnection(ctx, id, {
    ...{ status, ...NO_CODE, cause },
    ...(isEnded ? {} : { retries: 0 }),
    ...(number === undefined ? {} : { number }),
    ...(isUnlinked ? { forgets_keys: true, pairing: null } : {}),
  })
  if (status === 'CONNECTED') resumeSending(ctx, id)
  return readConnection(ctx, id)
}
