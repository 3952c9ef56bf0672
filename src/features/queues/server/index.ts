import type { z } from 'zod'
import { moveConnections } from '#features/connections/server/index.ts'
import { moveTicketsOfQueue } from '#features/tickets/server/sets/index.ts'
import { userEvents } from '#features/users/contract.ts'
import { replaceQueueUsers } from '#features/users/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { type Actor, may } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import type { Queryable } from '#server/db/db.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { queueEvents, queues } from '../contract.ts'
import { errors } from '../errors.ts'
import type { queueChanges } from '../forms.ts'
import { permissions } from '../permissions.ts'
import { queueTable } from '../table.ts'
import { type QueueRecord, queueHasTickets, queueRows, usersOfQueue } from './queries.ts'

type UserCtx = Ctx & { user: Actor }

const shown = (row: QueueRecord) => ({ ...row, hasHours: row.businessHours !== null })

async function detail(db: Queryable, id: number): Promise<Returned<typeof queues.get>> {
  return { ...shown(required(await queueRows.find(db, id), 'ERR_NO_QUEUE_FOUND')), userIds: await usersOfQueue(db, id) }
}

/**
 * Publishes a change of a queue and invalidates the caches that depend on it: settings (queues and hours) and the queues of
 * users.
 */
function publish(ctx: Ctx, id: number, action: 'create' | 'update' | 'delete', people: readonly number[]): void {
  ctx.stale(`settings ${ctx.tenantId}`)
  for (const userId of people) {
    ctx.stale(`actors ${ctx.tenantId}:${userId}`)
    ctx.emit(userEvents.changed, { userId }, { kind: 'tenant' })
  }
  ctx.emit(queueEvents.changed, { id, action }, { kind: 'tenant' })
}

// Only administrators change distribution rules; a queue must not overflow into itself.
async function requireDistribution(
  ctx: UserCtx,
  id: number | null,
  change: z.output<typeof queueChanges>,
): Promise<void> {
  const { distribution, overflowQueueId, overflowMinutes } = change
  if ([distribution, overflowQueueId, overflowMinutes].every((one) => one === undefined)) return
  if (!may(ctx.user, ctx.settings, 'distribution:write')) fail('ERR_NO_PERMISSION')
  if (overflowQueueId == null) return
  if (overflowQueueId === id) fail('ERR_VALIDATION', { overflowQueueId: 'Escolha outra fila.' })
  if (!(await queueRows.find(ctx.db, overflowQueueId)))
    fail('ERR_VALIDATION', { overflowQueueId: 'Esta fila não existe.' })
}

// Queue membership decides visibility, so that only users who see everything may change it.
function requireWide(ctx: UserCtx): void {
  if (!may(ctx.user, ctx.settings, 'tickets:all')) fail('ERR_NO_PERMISSION')
}

async function saveUsers(ctx: UserCtx, id: number, wanted: readonly number[] | undefined): Promise<number[]> {
  if (!wanted) return []
  requireWide(ctx)
  const before = await usersOfQueue(ctx.db, id)
  if (!(await replaceQueueUsers(ctx.db, id, wanted))) fail('ERR_NO_USER_FOUND')
  return [...new Set([...before, ...wanted])].filter((one) => before.includes(one) !== wanted.includes(one))
}

const lock = async (ctx: Ctx, id: number): Promise<void> => {
  if (!(await queueRows.lock(ctx.db, id))) fail('ERR_NO_QUEUE_FOUND')
}

const routes = implement(queues, {
  list: async ({ db }, { query }) => {
    const { rows, page } = await queueRows.list(db, query)
    return { items: rows.map(shown), ...page }
  },
  get: ({ db }, { params }) => detail(db, params.id),
  create: async (ctx, { body }) => {
    await requireDistribution(ctx, null, body)
    const { id } = await queueRows.insert(ctx.db, { color: queueTable.fields.color.default, ...body }, ctx.now)
    publish(ctx, id, 'create', await saveUsers(ctx, id, body.userIds))
    return detail(ctx.db, id)
  },
  update: async (ctx, { params: { id }, body }) => {
    await lock(ctx, id)
    await requireDistribution(ctx, id, body)
    await queueRows.update(ctx.db, id, body, ctx.now)
    publish(ctx, id, 'update', await saveUsers(ctx, id, body.userIds))
    return detail(ctx.db, id)
  },
  remove: async (ctx, { params: { id } }) => {
    await lock(ctx, id)
    if (await queueHasTickets(ctx.db, id)) fail('ERR_QUEUE_TICKET_EXISTS')
    publish(ctx, id, 'delete', await usersOfQueue(ctx.db, id))
    await queueRows.remove(ctx.db, id)
    return { message: 'ok' }
  },
  replace: async (ctx, { params: { id }, body: { queueId } }) => {
    requireWide(ctx)
    // In the order of ids, so that two that replace each other do not wait for one another.
    for (const one of [id, queueId].sort((a, b) => a - b)) await lock(ctx, one)
    if (id === queueId) fail('ERR_VALIDATION', { queueId: 'Escolha outra fila.' })
    const moved = await moveTicketsOfQueue(ctx, id, queueId)
    await moveConnections(ctx.db, id, queueId)
    publish(ctx, id, 'delete', await usersOfQueue(ctx.db, id))
    await queueRows.remove(ctx.db, id)
    return { moved }
  },
})

/** Server part of the feature `queues`: queues. */
export const queuesFeature: Feature = { name: 'queues', titles: { queues: 'Filas' }, permissions, errors, routes }
