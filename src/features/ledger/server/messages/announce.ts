import { ackOf, type MessageStatus } from '#domain/messages/status.ts'
import { lookUp } from '#domain/present.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import type { Ctx } from '#server/context.ts'
import { messageEvents } from '../../message-events-contract.ts'
import { deltaOf, loadTicketRows } from '../rows/rows.ts'
import { type LedgerTicket, ledgerFacts, type NewMessage, type StoredMessage } from '../ticket/queries.ts'
import { findMessages, type MessageRecord } from './queries.ts'
import { serializeMessage } from './serializer.ts'

/** Publishes newly opened tickets as whole rows. */
export async function announceNewTickets(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  for (const { row, facts } of (await loadTicketRows(ctx.db, ids, ctx)).values()) {
    ctx.emit(ticketEvents.create, row, { kind: 'ticket', ticketId: row.id, before: null, after: facts })
  }
}

/** Publishes stored messages with the changes of their tickets. `records` are those with more than text. */
export function announceMessages(
  ctx: Ctx,
  messages: readonly NewMessage[],
  stored: readonly StoredMessage[],
  records: readonly MessageRecord[],
  tickets: readonly LedgerTicket[],
  contactName: (messageId: string) => string,
): void {
  const byId = new Map(stored.map((row) => [row.id, row]))
  const read = new Map(records.map((row) => [row.id, row]))
  const states = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  for (const message of messages) {
    const row = byId.get(message.id)
    // Scheduled messages are published by their author's action.
    if (!row || message.schedule) continue
    const name = contactName(message.id)
    emitCreated(ctx, read.get(message.id) ?? plainRecord(message, row, name), lookUp(states, message.ticketId))
  }
}

function emitCreated(ctx: Ctx, record: MessageRecord, ticket: LedgerTicket): void {
  const message = serializeMessage(ctx.platform, ctx.tenantId, record)
  ctx.emit(
    messageEvents.create,
    { message, ticket: deltaOf(ticket), contactName: record.contact_name },
    { kind: 'ticket', ticketId: ticket.id, before: null, after: ledgerFacts(ticket) },
  )
}

/** Publishes messages that waited and have taken their place, whatever their status. */
export async function announcePlaced(
  ctx: Ctx,
  ids: readonly string[],
  tickets: readonly LedgerTicket[],
): Promise<void> {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  for (const record of await findMessages(ctx.db, ids)) {
    emitCreated(ctx, record, lookUp(byId, record.ticket_id))
  }
}

/** Publishes the state of a scheduled message. */
export function announceWaiting(ctx: Ctx, record: MessageRecord, facts: TicketFacts): void {
  ctx.emit(
    messageEvents.update,
    { message: serializeMessage(ctx.platform, ctx.tenantId, record) },
    { kind: 'ticket', ticketId: record.ticket_id, before: null, after: facts },
  )
}

/** Publishes a new status of a message. */
export function announceStatus(
  ctx: Ctx,
  message: { id: string; ticketId: number; status: MessageStatus; errorCode: string | null; isLast: boolean },
  facts: TicketFacts,
): void {
  const { id, ticketId, status, errorCode, isLast } = message
  ctx.emit(
    messageEvents.ack,
    { id, ticketId, status, ack: ackOf(status), errorCode, isLast },
    { kind: 'ticket', ticketId, before: null, after: facts },
  )
}

const plainRecord = (
  message: NewMessage,
  stored: { seq: number; created_at: Date },
  contactName: string,
): MessageRecord => ({
  id: message.id,
  seq: stored.seq,
  ticket_id: message.ticketId,
  contact_id: message.contactId,
  contact_name: contactName,
  connection_id: message.connectionId,
  conversation_key: message.conversationKey,
  provider_id: message.providerId,
  id_front: message.idFront,
  from_me: message.fromMe,
  is_note: message.isNote,
  user_id: null,
  user_name: null,
  media_type: message.mediaType,
  body: message.body,
  data: message.data,
  sender: message.sender,
  mentions: message.mentions,
  file_id: null,
  file_name: null,
  file_mime: null,
  file_size: null,
  file_path: null,
  file_width: null,
  file_height: null,
  file_duration_ms: null,
  file_waveform: null,
  album: null,
  quoted_id: null,
  quoted_body: null,
  quoted_media_type: null,
  quoted_from_me: null,
  quoted_file_name: null,
  quoted_user_name: null,
  quoted_sender: null,
  quoted_provider_id: null,
  status: message.status,
  error_code: null,
  send_type: message.sendType,
  is_deleted: false,
  is_late: message.isLate,
  edition: null,
  reaction: null,
  reaction_from_me: null,
  acts: null,
  schedule_date: null,
  send_at: null,
  sync_time: null,
  timestamp: new Date(message.timestamp),
  created_at: stored.created_at,
  link_card: null,
})
