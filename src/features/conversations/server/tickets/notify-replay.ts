import type { Ctx } from '#server/context.ts'
import type { LedgerTicket } from '../ingest/ingest-queries.ts'
import { writeMessages } from '../messages/write.ts'
import { findLeads } from '../sla/queries.ts'
import { notify } from './notify.ts'
import { REPLAY_NOTE } from './queries-notifications.ts'

/** Tells leads, by a note in the ticket, that its conversation with a flow did not repeat itself as it was. */
export async function notifyReplay(ctx: Ctx, ticket: LedgerTicket, text: string): Promise<void> {
  const note = { ticket, source: 'bot', isNote: true, mediaType: 'note', body: text, sendType: REPLAY_NOTE } as const
  const { messages } = await writeMessages(ctx, [note])
  const people = (await findLeads(ctx.db)).map((userId) => ({ userId, ticketId: ticket.id, byUserId: null }))
  await notify(ctx, people, { messageId: messages[0]!.id, mentions: 1, transfers: 0 })
}
