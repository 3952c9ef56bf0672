import { emptyStage } from '#features/contacts/server/index.ts'
import { leaveStage } from '#features/ledger/server/changes/index.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { mountResource } from '#server/resource.ts'
import { stages } from '../stages.ts'
import { removeStage, stageIsUsed } from './queries.ts'

/** So many columns a board has, beside the first. */
const MOST_STAGES = 30
/** So many contacts are moved in one transaction. */
const BLOCK = 200

/** The operations on stages; one in which contacts stand is not removed. */
export const stageRoutes = mountResource(stages, {
  async beforeWrite(ctx, write) {
    if (write.action === 'create' && (await countLocked(ctx.db, 'stages')) >= MOST_STAGES) fail('ERR_MAX_KANBANS')
    if (write.action === 'delete' && (await stageIsUsed(ctx.db, write.id))) fail('ERR_KANBAN_CONTACTS_EXISTS')
  },
})

/**
 * Moves every contact of a stage to the end of another one, or out of the panel, and removes it; block by block, so that
 * nobody waits for many, and done again it goes on where it stopped. Answers how many were moved.
 */
export async function replaceStage(
  { platform, tenantId, user, audit }: SlowCtx,
  from: number,
  to: number | null,
): Promise<{ moved: number }> {
  if (from === to) fail('ERR_VALIDATION', { kanban: 'Escolha outra etapa.' })
  const block = async (ctx: Ctx) => {
    const moved = required(await emptyStage(ctx, from, to, BLOCK), 'ERR_NO_KANBAN_FOUND')
    if (moved > 0 || (await leaveStage(ctx.db, from, BLOCK)) === BLOCK) return { moved, isDone: false }
    await removeStage(ctx.db, from)
    ctx.emit(stages.changed, { id: from, action: 'delete' }, { kind: 'tenant' })
    return { moved, isDone: true }
  }
  let moved = 0
  for (let isDone = false; !isDone; ) {
    const last = await unit(platform, { tenantId, user, audit }, block)
    moved += last.moved
    isDone = last.isDone
  }
  return { moved }
}
