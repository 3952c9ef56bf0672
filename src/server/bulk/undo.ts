import { z } from 'zod'
import { BLOCK, MOST_NAMED } from '#domain/bulk/limits.ts'
import { takenBack } from '#domain/bulk/undo.ts'
import type { undone } from '#kit/bulk.ts'
import { type ErrorCode, fail } from '#kit/errors.ts'
import { actorWithin, type Ctx, unit } from '../context.ts'
import type { SlowCtx } from '../http/route.ts'
import { job } from '../job.ts'
import type { Platform } from '../platform.ts'
import { publishProgress, refusal, requireOperation } from './answer.ts'
import { writeAll } from './block.ts'
import { finalizeJob } from './finalize.ts'
import { kindOf, type Return, type UserCtx } from './kind.ts'
import {
  countItems,
  findOperation,
  type Item,
  listRefused,
  nextItems,
  type Operation,
  type Outcome,
  saveItems,
  saveStatus,
} from './queries.ts'

/**
 * Undoes an operation, except records that users have changed since; a running one is stopped first. 409
 * ERR_UNDO_EXPIRED after its time, and the second time.
 */
export async function undoBulk({ platform, tenantId, user }: SlowCtx, id: string): Promise<z.input<typeof undone>> {
  await unit(platform, { tenantId, user }, async (ctx) => {
    const operation = await requireOperation(ctx.db, user, id, true)
    requireTime(operation, ctx.now)
    await saveStatus(ctx.db, id, { status: 'undoing' })
    // If this process dies in the middle, the job continues.
    ctx.enqueue(undoJob, { operationId: id, userId: user.id })
  })
  await undoAll(platform, { tenantId, operationId: id, userId: user.id })
  return platform.db.read(tenantId, async (db) => ({
    restored: (await countItems(db, id)).restored,
    refused: (await listRefused(db, id, 'kept', MOST_NAMED)).map((one) => ({
      ...refusal(one),
      by: one.by,
      at: one.at,
    })),
  }))
}

function requireTime({ status, undo_until }: Operation, now: Date): void {
  const isUnderWay = status === 'running' || status === 'paused'
  const isInTime = (status === 'done' || status === 'canceled') && undo_until !== null && undo_until > now
  if (!isUnderWay && !isInTime) fail('ERR_UNDO_EXPIRED')
}

const payload = z.object({ operationId: z.string(), userId: z.number() })

/** Job that finishes an undo that a process began. */
export const undoJob = job({
  name: 'bulk:undo',
  schema: payload,
  run: (platform, given) => undoAll(platform, given),
})

async function undoAll(
  platform: Platform,
  { tenantId, operationId, userId }: z.output<typeof payload> & { tenantId: number },
): Promise<void> {
  while (await unit(platform, { tenantId, user: null }, (ctx) => undoNext(ctx, operationId, userId)));
}

async function undoNext(ctx: Ctx, id: string, userId: number): Promise<boolean> {
  const operation = await findOperation(ctx.db, id, true)
  if (operation?.status !== 'undoing') return false
  const user = await actorWithin(ctx, userId)
  const items = await nextItems(ctx.db, id, { status: 'done', most: BLOCK, lastFirst: true })
  // The author has left meanwhile: remaining records stay as they are.
  if (user && items.length > 0) await saveItems(ctx.db, id, await undoBlock({ ...ctx, user }, operation, items))
  const isMore = user !== null && items.length === BLOCK
  if (!isMore) {
    await saveStatus(ctx.db, id, { status: 'undone' })
    ctx.enqueue(finalizeJob, { operationId: id })
    await publishProgress(ctx, { ...operation, status: 'undone' })
  }
  await ctx.platform.checkpoint('bulk block undone')
  return isMore
}

/** Undoes one change of one record unless it was changed since. Returns null, or the error code of the refusal. */
export async function undoOne(
  ctx: UserCtx,
  kind: string,
  { id, ...images }: { id: number } & Pick<Item, 'before' | 'after'>,
): Promise<string | null> {
  const [outcome] = await undoBlock(ctx, { kind, user_id: ctx.user.id }, [{ position: 1, subject_id: id, ...images }])
  return outcome?.code ?? null
}

async function undoBlock(
  ctx: UserCtx,
  operation: Pick<Operation, 'kind' | 'user_id'>,
  items: readonly Item[],
): Promise<readonly Outcome[]> {
  const kind = kindOf(operation.kind)
  const ids = items.map(({ subject_id }) => subject_id)
  const subjects = await kind.load(ctx, ids, 'lock any')
  const images = await kind.images(ctx, ids)
  const refused = new Map<number, ErrorCode>()
  const returns = new Map<number, Return>()
  for (const { subject_id: id, before, after } of items) {
    const now = images.get(id)
    const fields = now && before && after && takenBack({ before, after, now }, kind.loose)
    if (fields) returns.set(id, { id, before: before, after: after, subject: subjects.get(id), fields })
    else refused.set(id, now ? 'ERR_CHANGED_SINCE' : kind.missing)
  }
  for (const [id, code] of await kind.obstacles(ctx, [...returns.values()])) {
    refused.set(id, code)
    returns.delete(id)
  }
  const restore = (inner: UserCtx, some: ReadonlyMap<number, Return>) => kind.restore(inner, [...some.values()])
  for (const [id, code] of await writeAll(ctx, kind, returns, restore, 'ERR_CHANGED_SINCE')) {
    refused.set(id, code)
    returns.delete(id)
  }
  if (returns.size > 0) await kind.publishReturn(ctx, [...returns.values()], operation.user_id)
  return items.map(({ position, subject_id: id, after }) => {
    const code = refused.get(id)
    if (!code) return { position, status: 'restored' }
    const now = images.get(id)
    const isChanged = now !== undefined && now.revision !== after?.revision
    const { changedBy = null, changedAt = null } = isChanged ? now : {}
    return { position, status: 'kept', code, changedBy, changedAt }
  })
}
