import { runHooks } from '#features/ledger/server/hooks/index.ts'
import { ticketImages, ticketsById } from '#features/ledger/server/sets/index.ts'
import type { Changed } from '#server/bulk/kind.ts'
import type { Ctx } from '#server/context.ts'
import type { TicketAct } from './bulk-decide.ts'
import { releaseWritten } from './bulk-messages.ts'

/**
 * Runs the customer-visible hooks of closed, reopened and read tickets once the undo has expired; skips tickets that have
 * changed since.
 */
export async function finalizeTickets(ctx: Ctx, { args }: TicketAct, changed: readonly Changed[]): Promise<void> {
  const ids = changed.map(({ id }) => id)
  const tickets = await ticketsById(ctx.db, ids, true)
  const images = await ticketImages(ctx.db, ids)
  // Before the messages that closing causes.
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
