import { emptyStage } from '#features/contacts/server/index.ts'
import { leaveStage } from '#features/ledger/server/changes/index.ts'
import { fail, required } from '#kit/errors.ts'
import { type Ctx, unit } from '#server/context.ts'
import { countLocked } from '#server/db/caps.ts'
import type { SlowCtx } from '#server/http/route.ts'
import { mountResource } from '#server/resource.ts'
import { stages } from '../stages.ts'
import { removeStage, stageIsUsed } from './queries.ts'

/** Maximum number of stages of a board. */
const MOST_STAGES = 30
/** Maximum number of contacts moved in one transaction. */
const BLOCK = 200

/** Routes of stages; a stage with contacts cannot be removed. */
export const stageRoutes = mountResource(stages, {
  async beforeWrite(ctx, write) {
    if (write.action === 'create' && (await countLocked(ctx.db, 'stages')) >= MOST_STAGES) fail('ERR_MAX_KANBANS')
    if (write.action === 'delete' && (await stageIsUsed(ctx.db, write.id))) fail('ERR_KANBAN_CONTACTS_EXISTS')
  },
})

/**
 * Moves all contacts of a stage to the end of another, or off the board, and removes the stage. Works in blocks, so that
 * other changes do not wait long, and resumes after an interruption. Returns the number of moved contacts.
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
