import { isTaken } from '#domain/webhook-endpoints/retries.ts'
import { TEST_TYPE } from '#domain/webhook-endpoints/types.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Queryable, Tx } from '#server/db/db.ts'
import { implement, type SlowCtx } from '#server/http/route.ts'
import { countOf, pageOf, pageStartOf } from '#server/paging.ts'
import { webhookDeliveries, webhookEndpoints } from '../contract.ts'
import { bodyOf } from './feed.ts'
import {
  type DeliveryRecord,
  endWaiting,
  findDelivery,
  insertDeliveries,
  listAttempts,
  pageOfDeliveries,
  renew,
  renewAll,
} from './queries-deliveries.ts'
import {
  beginCursor,
  countEndpoints,
  countKnown,
  type EndpointRecord,
  endpointRows,
  readLastSeq,
  shownRows,
} from './queries-endpoints.ts'
import { requireReachable } from './reachable.ts'
import { leaseFrom } from './runner.ts'
import { endpointEncryption } from './secrets.ts'
import { deliver, problemText, publishEndpoint } from './send.ts'
import { newSecret } from './signature.ts'
import { wakeRunner } from './wake.ts'

const MOST_ENDPOINTS = 50
const OLD_SECRET_MS = 24 * 3_600_000

const within = <T>({ platform, tenantId, user, audit }: SlowCtx, work: (ctx: Ctx) => Promise<T>) =>
  unit(platform, { tenantId, user, audit }, work)

/** Routes of endpoints. */
export const endpointRoutes = implement(webhookEndpoints, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await endpointRows.list(db, query, shownRows)
    return { items: rows.map(shown), ...page }
  },
  get: async ({ db }, { params }) => shown(await requireEndpoint(db, params.id)),
  create: async (slow, { body }) => {
    const { url, events, isActive = true, authorization = null, connectionIds = [], queueIds = [] } = body
    const name = body.name ?? new URL(url).host.slice(0, 60)
    await requireReachable(slow.platform, url)
    const { encrypt } = endpointEncryption(slow.platform, slow.tenantId)
    const secret = newSecret()
    const id = await within(slow, async (ctx) => {
      // Serializes the creation, so that the count is valid.
      await beginCursor(ctx.db)
      if ((await countEndpoints(ctx.db)) >= MOST_ENDPOINTS) fail('ERR_MAX_WEBHOOKS')
      await requireKnown(ctx.db, { connectionIds, queueIds })
      const row = await endpointRows.insert(ctx.db, { name, url, isActive }, ctx.now, {
        ...{ events, connection_ids: connectionIds, queue_ids: queueIds, secret: encrypt(secret) },
        ...{ authorization_value: authorization ? encrypt(authorization) : null, user_id: slow.user.id },
        after_seq: await readLastSeq(ctx.db),
      })
      ctx.audit({ target: { id: row.id }, after: { name, url, events, isActive } })
      changed(ctx, row.id, 'create')
      return row.id
    })
    return { id, secret }
  },
  update: async (slow, { params: { id }, body }) => {
    if (body.url !== undefined) await requireReachable(slow.platform, body.url)
    const { encrypt } = endpointEncryption(slow.platform, slow.tenantId)
    return within(slow, async (ctx) => {
      const before = await lockEndpoint(ctx.db, id)
      if (before.ofSettings) fail('ERR_WEBHOOK_OF_SETTINGS')
      const { name, url, isActive, events, authorization, connectionIds, queueIds } = body
      await requireKnown(ctx.db, {
        connectionIds: (connectionIds ?? []).filter((one) => !before.connectionIds.includes(one)),
        queueIds: (queueIds ?? []).filter((one) => !before.queueIds.includes(one)),
      })
      const isBack = isActive === true && !before.isActive
      const after = await endpointRows.update(ctx.db, id, { name, url, isActive }, ctx.now, {
        ...(events ? { events } : {}),
        ...(connectionIds ? { connection_ids: connectionIds } : {}),
        ...(queueIds ? { queue_ids: queueIds } : {}),
        ...(authorization === undefined ? {} : { authorization_value: authorization ? encrypt(authorization) : null }),
        ...(isBack ? { after_seq: await readLastSeq(ctx.db), off_reason: null, off_at: null } : {}),
        ...(isBack ? { failing_since: null, failures: 0 } : {}),
      })
      if (isActive === false && before.isActive) await endWaiting(ctx.db, id, ctx.now)
      ctx.audit({ before: audited(before), after: audited(after!) })
      changed(ctx, id, 'update')
      return shown(required(await endpointRows.find(ctx.db, id), 'ERR_NO_WEBHOOK_FOUND'))
    })
  },
  remove: async (ctx, { params: { id } }) => {
    const before = await lockEndpoint(ctx.db, id)
    if (before.ofSettings && before.isActive) fail('ERR_WEBHOOK_OF_SETTINGS')
    await endpointRows.remove(ctx.db, id)
    ctx.audit({ before: audited(before) })
    changed(ctx, id, 'delete')
    return { message: 'ok' }
  },
  rotate: async (slow, { params: { id } }) => {
    const secret = newSecret()
    const { encrypt } = endpointEncryption(slow.platform, slow.tenantId)
    await within(slow, async (ctx) => {
      const before = await lockEndpoint(ctx.db, id)
      await endpointRows.update(ctx.db, id, {}, ctx.now, {
        secret: encrypt(secret),
        old_secret: before.secret,
        old_secret_until: new Date(ctx.now.getTime() + OLD_SECRET_MS),
      })
      ctx.audit({ target: { id }, after: { name: before.name } })
      changed(ctx, id, 'update')
    })
    return { id, secret }
  },
  test: async (slow, { params: { id } }) => {
    const { platform, tenantId } = slow
    await platform.limits.use('providerTest', `${tenantId}:${slow.user.id}`)
    const claimed = await within(slow, async (ctx) => {
      const { name } = await requireEndpoint(ctx.db, id)
      const data = { id, name, message: 'Um evento de teste do Guichê.' }
      const body = bodyOf(platform, { type: TEST_TYPE, at: ctx.now, seq: 0, data })
      const delivery = { id: ctx.newId(), endpointId: id, seq: 0, type: TEST_TYPE, body, contactId: null }
      await insertDeliveries(ctx.db, [delivery], ctx.now, leaseFrom(ctx.now))
      return delivery
    })
    const tried = required(await deliver(platform, tenantId, claimed), 'ERR_NO_WEBHOOK_FOUND')
    const { httpStatus, problem, at, ms, answer } = tried
    return {
      ...{ deliveryId: claimed.id, isTaken: isTaken(tried), at, httpStatus, ms, answer },
      problem: problemText(problem, httpStatus),
    }
  },
  resend: async (ctx, { params: { id }, body: { from, to, which } }) => {
    await requireOn(ctx.db, id)
    const count = await renewAll(ctx.db, id, { from: new Date(from), to: new Date(to), which }, ctx.now)
    ctx.afterCommit(() => wakeRunner(ctx.platform))
    ctx.audit({ after: { which, count } })
    return { count }
  },
})

/** Routes of deliveries. */
export const deliveryRoutes = implement(webhookDeliveries, {
  list: async ({ db }, { params: { id }, query }) => {
    await requireEndpoint(db, id)
    const found = await pageOfDeliveries(db, id, query, pageStartOf<[number, string]>(query, 2))
    const { rows, paging } = pageOf(found, (row) => [row.place, row.id])
    return { deliveries: rows.map(shownDelivery), ...countOf(rows.length), ...paging }
  },
  get: async ({ db }, { params: { deliveryId } }) => {
    const row = required(await findDelivery(db, deliveryId), 'ERR_NO_DELIVERY_FOUND')
    const attempts = await listAttempts(db, deliveryId)
    return {
      ...shownDelivery(row),
      ...{ webhookId: row.endpoint_id, body: row.body },
      attempts: attempts.map(({ at, http_status, problem, ms, answer }) => ({
        ...{ at, httpStatus: http_status, ms, answer },
        problem: problemText(problem, http_status),
      })),
    }
  },
  resend: async (ctx, { params: { deliveryId } }) => {
    const row = required(await findDelivery(ctx.db, deliveryId), 'ERR_NO_DELIVERY_FOUND')
    await requireOn(ctx.db, row.endpoint_id)
    await renew(ctx.db, deliveryId, ctx.now)
    ctx.afterCommit(() => wakeRunner(ctx.platform))
    ctx.audit({ target: { id: deliveryId, webhookId: row.endpoint_id }, after: { type: row.type } })
    return shownDelivery(required(await findDelivery(ctx.db, deliveryId), 'ERR_NO_DELIVERY_FOUND'))
  },
})

const requireEndpoint = async (db: Queryable, id: number): Promise<EndpointRecord> =>
  required(await endpointRows.find(db, id, shownRows), 'ERR_NO_WEBHOOK_FOUND')

async function lockEndpoint(db: Tx, id: number): Promise<EndpointRecord> {
  const row = required(await endpointRows.lock(db, id), 'ERR_NO_WEBHOOK_FOUND')
  return row.source === null ? row : fail('ERR_NO_WEBHOOK_FOUND')
}

async function requireOn(db: Queryable, id: number): Promise<void> {
  const { isActive } = await requireEndpoint(db, id)
  if (!isActive) fail('ERR_WEBHOOK_OFF')
}

async function requireKnown(
  db: Queryable,
  wanted: { connectionIds: readonly number[]; queueIds: readonly number[] },
): Promise<void> {
  const known = await countKnown(db, wanted)
  if (known.connections < new Set(wanted.connectionIds).size) fail('ERR_NO_WAPP_FOUND')
  if (known.queues < new Set(wanted.queueIds).size) fail('ERR_NO_QUEUE_FOUND')
}

function changed(ctx: Ctx, id: number, action: 'create' | 'update' | 'delete'): void {
  ctx.stale(`webhooks ${ctx.tenantId}`)
  publishEndpoint(ctx, id, action)
}

const audited = ({ name, url, events, isActive, connectionIds, queueIds }: EndpointRecord) => ({
  ...{ name, url, events, isActive, connectionIds, queueIds },
})

const shown = (row: EndpointRecord): Returned<typeof webhookEndpoints.get> => ({
  ...{ id: row.id, name: row.name, url: row.url, events: row.events, isActive: row.isActive },
  hasAuthorization: row.authorization !== null,
  ...{ connectionIds: row.connectionIds, queueIds: row.queueIds, ofSettings: row.ofSettings },
  ...{ failingSince: row.failingSince, offReason: row.offReason, offAt: row.offAt },
  ...{ waiting: row.waiting, lastDeliveredAt: row.lastDeliveredAt },
  ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
})

const shownDelivery = (row: DeliveryRecord): Returned<typeof webhookDeliveries.resend> => ({
  ...{ id: row.id, type: row.type, seq: row.seq, tries: row.tries },
  status: row.status,
  httpStatus: row.http_status,
  problem: problemText(row.problem, row.http_status),
  dueAt: row.status === 'pending' ? row.due_at : null,
  ...{ createdAt: row.created_at, endedAt: row.ended_at },
})
