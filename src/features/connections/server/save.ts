import { randomBytes } from 'node:crypto'
import { featureOf, LIMITS } from '#domain/access/plan.ts'
import { fail, required } from '#kit/errors.ts'
import { accountOf, type ProviderFields, type ProviderValues, type StoredValues, shownValues } from '#kit/provider.ts'
import { channelType } from '#providers/channels/configs.ts'
import { type Ctx, type ReadCtx, unit } from '#server/context.ts'
import { saveInDirectory } from '#server/db/directory.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { connectionEvents } from '../connection-events.ts'
import type { ConnectionDetail, ConnectionEdit, ConnectionForm, ConnectionRow } from '../contract.ts'
import { reachConnection, standInOf } from './adapters.ts'
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
import { decrypt, encrypt, mergeValues } from './values.ts'

/** The directory's kind of the addresses that providers call (decision B2). */
export const WEBHOOK_KIND = 'webhook'

const valuesOf = ({ config, secrets }: StoredConnection) => ({ config, secrets }) as StoredValues
const fieldsOf = (type: string): ProviderFields => channelType(type)?.config.fields ?? {}

/** What pickers and details have in common. */
export const shownRow = (row: StoredConnection) => ({
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status as ConnectionRow['status'],
  number: row.number,
  isDefault: row.is_default,
  queueId: row.queue_id,
  updatedAt: row.updated_at,
})

/** A connection with what was filled in, secrets masked. */
export async function readConnection(ctx: ReadCtx | Ctx, id: number): Promise<ConnectionDetail> {
  const { platform, tenantId } = ctx
  const row = required(await findConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  return {
    ...shownRow(row),
    updatedAt: row.updated_at.getTime(),
    isVirtual: standInOf(row.config) !== null,
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
  const { features } = ctx.settings
  if (features?.includes(featureOf(made.type)) === false) fail('ERR_CHANNEL_NOT_ALLOWED')
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

/** Tells everybody who may see connections how one stands. */
async function publishStatus(ctx: Ctx, id: number): Promise<void> {
  const row = await findConnection(ctx.db, id)
  if (!row) return
  const whatsapp = { ...shownRow(row), updatedAt: row.updated_at.getTime() }
  ctx.emit(
    connectionEvents.changed,
    { action: 'update', whatsapp },
    { kind: 'permission', permission: 'connections:read' },
  )
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
  const { type, name, queueId } = form
  const id = await makeConnection(ctx, { type, name, queueId, status: 'DISCONNECTED', config: {} })
  const kept = mergeValues(ctx.platform, { tenantId: ctx.tenantId, id }, fields, form.config)
  await changeConnection(ctx, id, { ...kept, account: accountOf(fields, kept.config) })
  return readConnection(ctx, id)
}

/** Changes a connection; what is left out stays, and so does what its channel keeps beside its form. */
export async function saveConnection(ctx: Ctx, id: number, change: ConnectionEdit): Promise<ConnectionDetail> {
  const row = required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  const { config, ...rest } = change
  await changeConnection(ctx, id, { ...rest, ...(config && changedValues(ctx, row, config)) })
  return readConnection(ctx, id)
}

function changedValues({ platform, tenantId }: Ctx, row: StoredConnection, config: ProviderValues): ConnectionChange {
  const fields = fieldsOf(row.type)
  const before = valuesOf(row)
  if (standInOf(row.config)) fail('ERR_VALIDATION', { config: 'Este canal é do laboratório: nada se preenche nele.' })
  const kept = mergeValues(platform, { tenantId, id: row.id }, fields, config, before)
  return { ...kept, config: { ...before.config, ...kept.config }, account: accountOf(fields, kept.config) }
}

/** Tries whether the provider takes what was filled in, and lets messages pass from now on. */
export async function startConnection(ctx: SlowCtx, id: number): Promise<ConnectionDetail> {
  const reached = required(await reachConnection(ctx.platform, ctx.tenantId, id), 'ERR_NO_WAPP_FOUND')
  const tried = (await reached.adapter.test?.()) ?? { ok: true }
  if (!tried.ok) fail('ERR_CONNECTION_TEST', { config: tried.problem })
  const { platform, ...base } = ctx
  return unit(platform, base, (within) => setStatus(within, id, 'CONNECTED'))
}

/** Lets nothing pass any more, in neither direction. */
export const endConnection = (ctx: Ctx, id: number): Promise<ConnectionDetail> => setStatus(ctx, id, 'DISCONNECTED')

async function setStatus(ctx: Ctx, id: number, status: string): Promise<ConnectionDetail> {
  required(await lockConnection(ctx.db, id), 'ERR_NO_WAPP_FOUND')
  await changeConnection(ctx, id, { status })
  return readConnection(ctx, id)
}
