import { absenceAt } from '#features/hours/server/index.ts'
import type { Ctx } from '#server/context.ts'
import { say } from '../messages/say.ts'
import { countAbsence } from '../messages/say-queries.ts'
import type { LedgerTicket, NewMessage } from './ingest-queries.ts'

/**
 * Tells customers who have just written that nobody is there: outside of the hours that count for their conversation,
 * never in groups or about late messages, and so many times per ticket at most (product facts 7.4). Where no absence
 * message is set, nothing is asked of the database.
 */
export async function answerAbsent(
  ctx: Ctx,
  tickets: readonly LedgerTicket[],
  heard: readonly NewMessage[],
): Promise<void> {
  const absence = absenceAt(ctx)
  if (!absence) return
  const most = Number(ctx.settings.values.maxRetries)
  for (const ticket of tickets) {
    if (ticket.is_group || !heard.some((message) => message.ticketId === ticket.id && !message.isLate)) continue
    const text = await absence(ticket)
    if (text !== null && (await countAbsence(ctx.db, ticket.id, most))) await say(ctx, ticket, text, 'absence')
  }
}
