import { randomBytes } from 'node:crypto'
import { featureOf, includes, LIMITS } from '#domain/access/plan.ts'
import { fail, required } from '#kit/errors.ts'
import { accountOf, type ProviderFields, type ProviderValues, type StoredValues, shownValues } from '#kit/provider.ts'
import { channelType } from '#providers/channels/configs.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { ConnectionDetail, ConnectionEdit, ConnectionForm } from '../contract.ts'
import { reachConnection, standInOf } from './adapters.ts'
import { publishStatus } from './link.ts'
import {
  type ConnectionChange,
  countConnections,
  findConnection,
  hasQueue,
  insertConnection,
  lockConnection,
  type StoredConnection,
  updateConnection,
} from './queries.ts'
import { shownRow } from './rows.ts'
import { decrypt, encrypt, mergeValues } from './values.ts'

/** The directory's kinds of the addresses that providers call, and of the accounts that apps speak of (decision B2). */
export const WEBHOOK_KIND = 'webhook' as const
export const ACCOUNT_KIND = 'account' as const

/** The account of a channel's provider, as the directory has it. */
export const accountKey = (channelId: string, account: string): string => `${channelId}:${account}`

const valuesOf = ({ config, secrets }: StoredConnection) => ({ config, secrets }) as StoredValues
const fieldsOf = (type: string): ProviderFields => channelType(type)?.config.fields ?? {}

/** A connection with what was filled in, secrets masked. */
export async function readConnection(ctx: ReadCtx | Ctx, id: number): Promise<ConnectionDetail> {
  const { platform, tenantId } = ctx
  const row = required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  return {
    ...shownRow(row),
    updatedAt: row.updated_at.getTime(),
    isVirtual: standInOf(row.config) !== null,
    destroyMessage: row.destroy_message ? 'enabled' : 'disabled',
    disableExternalIntegration: row.disable_external_integration ? 'enabled' : 'disabled',
    config: shownValues(fieldsOf(row.type), valuesOf(row)),
    webhookPath: row.webhook && `/api/hooks/${decrypt(platform, { tenantId, id }, row.webhook)}`,
  }
}

/**
 * Makes a connection of any type and answers its id: within what the company's plan permits, with the address that its
 * provider calls. `config` is what a channel with a screen of its own keeps there; `standIn` in it names a channel that speaks
 * in place of the provider.
 */
export async function makeConnection(
  ctx: Ctx,
  made: { type: string; name: string; queueId: number | null; status: 'CONNECTED' | 'DISCONNECTED'; config: object },
): Promise<number> {
  if (!includes(ctx.settings.plan, featureOf(made.type))) fail('ERR_CHANNEL_NOT_ALLOWED')
  const { used, most } = await countConnections(ctx.db)
  if (used >= most) fail(LIMITS.connections.refusal)
  await requireQueue(ctx, made.queueId)
  const id = await insertConnection(ctx.db, { ...made, now: ctx.now })
  if (channelType(made.type)?.config.webhook && !standInOf(made.config)) {
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

/** Changes a connection of any type; every process reaches it anew. */
export async function changeConnection(ctx: Ctx, id: number, change: ConnectionChange): Promise<void> {
  if (change.queueId !== undefined) await requireQueue(ctx, change.queueId)
  await updateConnection(ctx.db, id, change, ctx.now)
  ctx.stale(`connection ${ctx.tenantId}:${id}`)
  await publishStatus(ctx, id)
}

async function requireQueue(ctx: Ctx, queueId: number | null): Promise<void> {
  if (queueId !== null && !(await hasQueue(ctx.db, queueId))) fail('ERR_NO_QUEUE_FOUND')
}

/** Makes a connection from the form of its channel. */
export async function createConnection(ctx: Ctx, form: ConnectionForm): Promise<ConnectionDetail> {
  const known = channelType(form.type)
  if (!known) return fail('ERR_VALIDATION', { type: 'Canal desconhecido.' })
  const { fields, screen } = known.config
  if (screen) fail('ERR_VALIDATION', { type: `Este canal é criado na própria tela: ${screen}` })
  const { type, name, queueId, destroyMessage, disableExternalIntegration } = form
  const id = await makeConnection(ctx, { type, name, queueId, status: 'DISCONNECTED', config: {} })
  const merged = mergeValues(ctx.platform, { tenantId: ctx.tenantId, id }, fields, ['config', form.config])
  const account = accountOf(fields, merged.config)
  await changeConnection(ctx, id, { ...merged, destroyMessage, disableExternalIntegration, account })
  return readConnection(ctx, id)
}

/** Changes a connection; what is left out stays, and so does what its channel keeps beside its form. */
export async function saveConnection(ctx: Ctx, id: number, change: ConnectionEdit): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const { config, ...rest } = change
  const changed = config && changedValues(ctx, row, config)
  await changeConnection(ctx, id, { ...rest, ...changed })
  // Whoever names another account has shown nothing yet that it is theirs.
  const isOther = changed && channelType(row.type)?.config.app && changed.account !== row.account
  if (isOther) return setStatus(ctx, id, 'DISCONNECTED')
  return readConnection(ctx, id)
}

function changedValues({ platform, tenantId }: Ctx, row: StoredConnection, config: ProviderValues): ConnectionChange {
  const fields = fieldsOf(row.type)
  const before = valuesOf(row)
  if (standInOf(row.config)) fail('ERR_VALIDATION', { config: 'Este canal é do laboratório: nada se preenche nele.' })
  const merged = mergeValues(platform, { tenantId, id: row.id }, fields, ['config', config], before)
  return { ...merged, config: { ...before.config, ...merged.config }, account: accountOf(fields, merged.config) }
}

/** Tries whether the provider takes what was filled in, and lets messages pass from now on, or as soon as it is open. */
export async function startConnection(ctx: SlowCtx, id: number): Promise<ConnectionDetail> {
  const reached = required(await reachConnection(ctx.platform, ctx.tenantId, id), 'ERR_NO_WAPP_FOUND')
  const tried = (await reached.adapter.test?.()) ?? { ok: true }
  if (!tried.ok) fail('ERR_CONNECTION_TEST', { config: tried.problem })
  const { platform, ...base } = ctx
  const status = reached.config.isPersistent ? 'OPENING' : 'CONNECTED'
  return unit(platform, base, (within) => setStatus(within, id, status))
}

/** Lets nothing pass any more, in neither direction. */
export const endConnection = (ctx: Ctx, id: number): Promise<ConnectionDetail> => setStatus(ctx, id, 'DISCONNECTED')

async function setStatus(ctx: Ctx, id: number, status: string): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const config = channelType(row.type)?.config
  if (config?.app) {
    // An account's events go to one connection of the installation: whose credentials its provider took first.
    const account = status === 'DISCONNECTED' ? null : row.account
    const taken = await saveInDirectory(ctx.db, ACCOUNT_KIND, id, account ? [accountKey(config.id, account)] : [])
    if (taken.length > 0) fail('ERR_ACCOUNT_TAKEN')
  }
  await changeConnection(ctx, id, { status, qrcode: null })
  return readConnection(ctx, id)
}
