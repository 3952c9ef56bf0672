import { previewOf } from '#domain/messages/preview.ts'
import { shownText } from '#domain/messages/signature.ts'
import type { Ctx } from '#server/context.ts'
import { messageEvents } from '../../message-events-contract.ts'
import { ticketEvents } from '../../ticket-rows.ts'
import { renewLinkCards } from '../links/cards.ts'
import { findMessages, type MessageRecord } from '../messages/queries.ts'
import { serializeMessage } from '../messages/serializer.ts'
import { deltaOf } from '../rows/rows.ts'
import { ledgerFacts, lockLedgerTickets } from '../ticket/queries.ts'
import { setPreview } from './queries.ts'

/** Publishes messages changed by acts, and list rows where they are the last message. */
export async function publishActed(ctx: Ctx, ids: readonly string[]): Promise<MessageRecord[]> {
  if (ids.length === 0) return []
  const rows = await findMessages(ctx.db, ids)
  const locked = await lockLedgerTickets(ctx.db, [...new Set(rows.map((row) => row.ticket_id))])
  renewLinkCards(
    ctx,
    rows.filter((row) => row.edition !== null),
  )
  const tickets = new Map(locked.map((ticket) => [ticket.id, ticket]))
  for (const row of rows) {
    const ticket = tickets.get(row.ticket_id)
    if (!ticket) continue
    const audience = { kind: 'ticket', ticketId: ticket.id, before: null, after: ledgerFacts(ticket) } as const
    const message = serializeMessage(ctx.platform, ctx.tenantId, row)
    ctx.emit(row.is_deleted ? messageEvents.remove : messageEvents.update, { message }, audience)
    const preview = previewOfRow(row)
    const isLast = !row.is_note && row.timestamp.getTime() === ticket.last_message_at.getTime()
    if (!isLast || preview === ticket.last_message) continue
    await setPreview(ctx.db, ticket.id, preview)
    ctx.emit(ticketEvents.delta, deltaOf({ ...ticket, last_message: preview }), {
      ...audience,
      before: audience.after,
    })
  }
  return rows
}

const previewOfRow = (row: MessageRecord): string =>
  previewOf({
    type: row.media_type,
    body: shownText({ fromMe: row.from_me, body: row.body, userName: row.user_name }),
    mediaName: row.file_name,
    isDeleted: row.is_deleted,
  })
