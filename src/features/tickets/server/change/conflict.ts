import { loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { ticketRow } from '#features/ledger/ticket-rows.ts'
import { isVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { shownTo } from '#server/masking.ts'

type Viewing = Omit<ReadCtx, 'db'> & { db: Parameters<typeof loadTicketRows>[0]; user: Actor }

/** Throws 409 with the conflicting ticket; a user who may not see it gets only its owner and place. */
export async function failWithActive(ctx: Viewing, active: { id: number } | null | undefined): Promise<never> {
  const loaded = active && (await loadTicketRows(ctx.db, [active.id], ctx)).get(active.id)
  if (!loaded) return fail('ERR_OTHER_OPEN_TICKET')
  const ticket = shownTo(ctx.user, ticketRow, ticketRow.parse(loaded.row))
  if (isVisible(ctx, loaded.facts)) return fail('ERR_OTHER_OPEN_TICKET', { ticket })
  const { id, status, userId, username, queueId, queue } = ticket
  return fail('ERR_OTHER_OPEN_TICKET', { ticket: { id, status, userId, username, queueId, queue } })
}
