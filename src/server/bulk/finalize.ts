import { z } from 'zod'
import { BLOCK } from '#domain/bulk/limits.ts'
import { type Ctx, unit } from '../context.ts'
import { job } from '../job.ts'
import { kindOf } from './kind.ts'
import { finalizeItems, findOperation } from './queries.ts'

/** Job that runs the customer-visible effects of an operation, once it can no longer be undone. */
export const finalizeJob = job({
  name: 'bulk:finalize',
  schema: z.object({ operationId: z.string() }),
  async run(platform, { tenantId, operationId }, { requireOwnership }) {
    const next = () => unit(platform, { tenantId, user: null }, (ctx) => finalizeBlock(ctx, operationId))
    while (await next()) requireOwnership()
  },
})

async function finalizeBlock(ctx: Ctx, id: string): Promise<boolean> {
  const operation = await findOperation(ctx.db, id, true)
  if (!operation) return false
  const { status, undo_until: until } = operation
  if (status !== 'done' && status !== 'canceled' && status !== 'undone') return false
  const remainingMs = status === 'undone' || !until ? 0 : until.getTime() - ctx.now.getTime()
  if (until && remainingMs > 0) {
    // The queue's clock is ahead of ours by the remaining time.
    ctx.enqueue(finalizeJob, { operationId: id }, { runAt: new Date(until.getTime() + remainingMs) })
    return false
  }
  const items = await finalizeItems(ctx.db, id, BLOCK)
  const changed = items.flatMap(({ subject_id, before, after }) =>
    before && after ? [{ id: subject_id, before, after }] : [],
  )
  if (changed.length > 0) await kindOf(operation.kind).finalize(ctx, operation, changed)
  await ctx.platform.checkpoint('bulk block final')
  return items.length === BLOCK
}
