import { followContacts, ticketsBehind } from '#features/ledger/server/changes/index.ts'
import { contactBook } from '#features/ledger/server/ports/index.ts'
import { factsOf, findTicketsForUpdate } from '#features/ledger/server/rows/index.ts'
import { countChange } from '#features/ledger/server/sets/index.ts'
import { announceAll, requireVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'

/**
 * Moves the contact of a visible ticket to a stage of the kanban (null: off the board); the contact's active tickets follow.
 * A closed ticket keeps its last stage: 409 ERR_TICKET_TRANSITION.
 */
export async function moveToStage(ctx: Ctx & { user: Actor }, ticketId: number, kanban: number | null): Promise<void> {
  const { row } = await requireVisible(ctx, ticketId)
  if (row.kanban === kanban) return
  if (row.status === 'closed') fail('ERR_TICKET_TRANSITION')
  await contactBook().setStage(ctx, [row.contact_id], { kanban })
  await countChange(ctx.db, [ticketId], { by: ctx.user.id, now: ctx.now })
}

/** Copies contacts' stages to their active tickets, and publishes them. */
export async function copyStages(ctx: Ctx, contactIds: readonly number[]): Promise<void> {
  const ids = await ticketsBehind(ctx.db, contactIds)
  if (ids.length === 0) return
  const before = await findTicketsForUpdate(ctx.db, ids)
  await followContacts(ctx.db, ids)
  await announceAll(
    ctx,
    before.map((row) => ({ row, facts: factsOf(row) })),
  )
}
