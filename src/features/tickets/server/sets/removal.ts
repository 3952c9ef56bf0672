import { deleteTickets, lockTicketsOf } from '#features/ledger/server/removal/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Ctx } from '#server/context.ts'

/** Deletes some tickets of contacts with everything that was said in them; how many there were, at most `most`. */
export async function removeTicketsOf(ctx: Ctx, contactIds: readonly number[], most: number): Promise<number> {
  const ids = await lockTicketsOf(ctx.db, contactIds, most)
  if (ids.length === 0) return 0
  await deleteTickets(ctx.db, ids)
  // Only the id, which reveals nothing.
  for (const id of ids) ctx.emit(ticketEvents.gone, { id }, { kind: 'tenant' })
  return ids.length
}
