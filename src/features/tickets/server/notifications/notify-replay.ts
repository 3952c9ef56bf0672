import { firstOf } from '#domain/present.ts'
import { findLeads } from '#features/ledger/server/clocks/index.ts'
import { notify, REPLAY_NOTE } from '#features/ledger/server/notices/index.ts'
import type { LedgerTicket } from '#features/ledger/server/ticket/index.ts'
import { writeMessages } from '#features/ledger/server/writing/index.ts'
import type { Ctx } from '#server/context.ts'

/** Writes a note for supervisors that a flow's replay differed from the original conversation. */
export async function notifyReplay(ctx: Ctx, ticket: LedgerTicket, text: string): Promise<void> {
  const note = { ticket, source: 'bot', isNote: true, mediaType: 'note', body: text, sendType: REPLAY_NOTE } as const
  const { messages } = await writeMessages(ctx, [note])
  const people = (await findLeads(ctx.db)).map((userId) => ({ userId, ticketId: ticket.id, byUserId: null }))
  await notify(ctx, people, { messageId: firstOf(messages).id, mentions: 1, transfers: 0 })
}
