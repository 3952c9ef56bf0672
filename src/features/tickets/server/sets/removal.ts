import { deleteTickets, lockTicketsOf } from '#features/ledger/server/removal/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Ctx } from '#server/context.ts'

/** Deletes up to `most` tickets of contacts with all of their messages; returns their number. */
export async function removeTicketsOf(ctx: Ctx, contactIds: readonly number[], most: number): Promise<number> {
  const ids = await lockTicketsOf(ctx.db, contactIds, most)
  if (ids.length === 0) return 0
  await deleteTickets(ctx.db, ids)
  // The event holds the id only, which reveals nothing.
  for (const id of ids) ctx.emit(ticketEvents.gone, { id }, { kind: 'tenant' })
  return ids.length
}
