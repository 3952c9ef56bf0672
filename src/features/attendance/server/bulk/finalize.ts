import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { ticketImages, ticketsById } from '#features/ledger/server/sets/index.ts'
import type { Changed } from '#server/bulk/kind.ts'
import type { Ctx } from '#server/context.ts'
import type { TicketAct } from './bulk-decide.ts'
import { releaseWritten } from './bulk-messages.ts'

/**
 * What others do when tickets are resolved, taken up again or read, where a customer notices it: now that nobody can take
 * it back. Only where the ticket is still what it became then.
 */
export async function finalizeTickets(ctx: Ctx, { args }: TicketAct, changed: readonly Changed[]): Promise<void> {
  const ids = changed.map(({ id }) => id)
  const tickets = await ticketsById(ctx.db, ids, true)
  const images = await ticketImages(ctx.db, ids)
  // Before what is said because a ticket is closed.
  await releaseWritten(ctx, changed)
  const how = args.unrated ? ('force' as const) : ('person' as const)
  const closed = []
  const opened = []
  const read = []
  for (const { id: ticketId, before, after } of changed) {
    const row = tickets.get(ticketId)
    const now = images.get(ticketId)?.fields
    if (!row || !now) continue
    const became = (name: string) => before.fields[name] !== after.fields[name] && now[name] === after.fields[name]
    if (became('closed_at') && row.status === 'closed') closed.push({ ticketId, how })
    if (became('closed_at') && row.status !== 'closed') opened.push({ ticketId, isReopened: true })
    if (became('unread_messages') && row.unread_messages === 0)
      read.push({ ticketId, connectionId: row.connection_id, conversationKey: row.conversation_key })
  }
  await runHooks(ctx, 'onClosed', closed)
  await runHooks(ctx, 'onOpened', opened)
  await runHooks(ctx, 'onRead', read)
}
