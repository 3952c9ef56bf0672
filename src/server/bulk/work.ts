import { z } from 'zod'
import { AT_ONCE, BLOCK, undoMs } from '#domain/bulk/limits.ts'
import { fail } from '#kit/errors.ts'
import { whyRefused } from '../actors.ts'
import { actorWithin, type Ctx, unit } from '../context.ts'
import { job } from '../job.ts'
import { type Answer, answerOf, publishProgress, refusal } from './answer.ts'
import { changeBlock, previewBlock } from './block.ts'
import { finalizeJob } from './finalize.ts'
import { type Act, type BulkKind, kindOf, type UserCtx } from './kind.ts'
import {
  countItems,
  findOperation,
  insertOperation,
  nextItems,
  type Operation,
  saveItems,
  saveStatus,
} from './queries.ts'

/** Returns how many of these records would change, and which would be refused and why; changes nothing. */
export async function previewBulk(ctx: UserCtx, kind: BulkKind, act: Act, ids: readonly number[]): Promise<Answer> {
  const refused = await previewBlock(ctx, kind, act, ids)
  return {
    id: null,
    kind: kind.name,
    status: 'preview',
    action: act.action,
    total: ids.length,
    done: ids.length - refused.length,
    refusedCount: refused.length,
    refused: refused.slice(0, AT_ONCE).map(refusal),
    undoUntil: null,
  }
}

/**
 * Changes these records, each listed once: few in this transaction, many by a job whose state the answer contains. Throws
 * what would refuse all of them.
 */
export async function startBulk(ctx: UserCtx, kind: BulkKind, act: Act, ids: readonly number[]): Promise<Answer> {
  await kind.decide(ctx, act, new Map())
  const found = await kind.load(ctx, ids, 'read')
  const operation = await insertOperation(ctx.db, {
    id: ctx.newId(),
    kind: kind.name,
    action: act.action,
    args: act.args,
    user_id: ctx.user.id,
    ids: ids.filter((id) => found.has(id)),
    missing: ids.filter((id) => !found.has(id)),
    now: ctx.now,
  })
  if (ids.length > AT_ONCE) {
    enqueueWork(ctx, operation)
    return answerOf(ctx.db, operation)
  }
  await work(ctx, kind, operation, AT_ONCE)
  return answerOf(ctx.db, await end(ctx, operation, 'done'))
}

/** Pauses, resumes or cancels an operation; 409 ERR_BULK_STATE where it cannot. */
export async function steer(ctx: Ctx, operation: Operation, to: 'paused' | 'running' | 'canceled'): Promise<Answer> {
  const from = { paused: ['running'], running: ['paused'], canceled: ['running', 'paused'] }[to]
  if (!from.includes(operation.status)) fail('ERR_BULK_STATE')
  if (to === 'canceled') return answerOf(ctx.db, await end(ctx, operation, to))
  await saveStatus(ctx.db, operation.id, { status: to })
  const next = { ...operation, status: to }
  if (to === 'running') enqueueWork(ctx, next)
  await publishProgress(ctx, next)
  return answerOf(ctx.db, next)
}

const keyOf = (what: string, { tenantId }: Ctx, { id }: Pick<Operation, 'id'>) => `bulk:${what}:${tenantId}:${id}`
const enqueueWork = (ctx: Ctx, operation: Operation) =>
  ctx.enqueue(workJob, { operationId: operation.id }, { key: keyOf('work', ctx, operation) })

/** Job that changes the records of an operation block by block; after a crash the next try continues where it was. */
export const workJob = job({
  name: 'bulk:work',
  schema: z.object({ operationId: z.string() }),
  async run(platform, { tenantId, operationId }, { requireOwnership }) {
    const next = () => unit(platform, { tenantId, user: null }, (ctx) => nextBlock(ctx, operationId))
    while (await next()) {
      await platform.checkpoint('bulk block committed')
      requireOwnership()
    }
  },
})

async function nextBlock(ctx: Ctx, id: string): Promise<boolean> {
  const operation = await findOperation(ctx.db, id, true)
  if (operation?.status !== 'running') return false
  const kind = kindOf(operation.kind)
  const user = operation.user_id === null ? null : await actorWithin(ctx, operation.user_id)
  // The author was deleted or lost the permission.
  if (!user || whyRefused(user, ctx.settings, kind.can)) {
    await end(ctx, operation, 'canceled')
    return false
  }
  const isMore = await work({ ...ctx, user }, kind, operation, BLOCK)
  if (isMore) await publishProgress(ctx, operation)
  else await end(ctx, operation, 'done')
  await ctx.platform.checkpoint('bulk block written')
  return isMore
}

/** Changes the next records; returns whether there may be more. */
async function work(ctx: UserCtx, kind: BulkKind, operation: Operation, most: number): Promise<boolean> {
  const items = await nextItems(ctx.db, operation.id, { status: 'waiting', most })
  if (items.length > 0) await saveItems(ctx.db, operation.id, await changeBlock(ctx, kind, operation, items))
  return items.length === most && most === BLOCK
}

async function end(ctx: Ctx, operation: Operation, status: 'done' | 'canceled'): Promise<Operation> {
  const { done } = await countItems(ctx.db, operation.id)
  const undoUntil = done > 0 ? new Date(ctx.now.getTime() + undoMs(operation.total)) : null
  await saveStatus(ctx.db, operation.id, { status, ended_at: ctx.now, undo_until: undoUntil })
  const ended = { ...operation, status, undo_until: undoUntil }
  if (undoUntil)
    ctx.enqueue(
      finalizeJob,
      { operationId: operation.id },
      { key: keyOf('finalize', ctx, operation), runAt: undoUntil },
    )
  await publishProgress(ctx, ended)
  return ended
}
