import { offsetMinutes } from '#domain/calendar/local-time.ts'
import { previewOf } from '#domain/messages/preview.ts'
import { renderTemplate, templateValues } from '#domain/messages/template.ts'
import type { Ctx } from '#server/context.ts'
import { insertMessages, type LedgerTicket, type NewMessage, touchTickets } from '../ingest/ingest-queries.ts'
import { announceMessages } from './announce.ts'
import { addTrail } from './queries.ts'
import { findSubject } from './say-queries.ts'
import { enqueueSending } from './send.ts'

/**
 * Says something in the product's own name: variables filled in, stored, told, and its sending recorded in the same
 * transaction. The customer goes on waiting as before: a person has not answered. The ticket is held by the caller.
 */
export async function say(ctx: Ctx, ticket: LedgerTicket, text: string, sendType: string): Promise<void> {
  const now = ctx.now.getTime()
  const lastMessageAt = ticket.last_message_at.getTime()
  const message: NewMessage = {
    id: ctx.newId(),
    ticketId: ticket.id,
    contactId: ticket.contact_id,
    connectionId: ticket.connection_id,
    conversationKey: ticket.conversation_key,
    providerId: null,
    idFront: null,
    fromMe: true,
    isNote: false,
    userId: null,
    mediaType: 'text',
    body: await fill(ctx, ticket.id, text),
    fileId: null,
    data: null,
    quotedId: null,
    quotedProviderId: null,
    status: 'pending',
    sendType,
    isLate: false,
    timestamp: Math.max(now, lastMessageAt + 1),
  }
  const stored = await insertMessages(ctx.db, [message])
  const touch = {
    id: ticket.id,
    unread: ticket.unread_messages,
    answered: ticket.answered,
    lastMessage: previewOf({ type: 'text', body: message.body }),
    lastMessageFromMe: true,
    lastMessageStatus: message.status,
    lastMessageAt: message.timestamp,
    lastMessageReceivedAt: ticket.last_message_received_at?.getTime() ?? null,
    waitingSince: ticket.waiting_since?.getTime() ?? null,
    status: ticket.status,
    closedAt: null,
  }
  const after = await touchTickets(ctx.db, [touch], ctx.now)
  await addTrail(ctx.db, [{ messageId: message.id, step: 'accepted' }])
  await announceMessages(ctx, [message], stored, after, () => '')
  enqueueSending(ctx, ticket)
}

async function fill(ctx: Ctx, ticketId: number, text: string): Promise<string> {
  if (!text.includes('{{')) return text
  const { contact, user, createdAt } = await findSubject(ctx.db, ticketId)
  const now = ctx.now.getTime()
  return renderTemplate(
    text,
    templateValues({
      contact,
      ...(user ? { user } : {}),
      ticket: { id: ticketId, createdAt: createdAt.getTime() },
      now,
      offsetMinutes: offsetMinutes(ctx.settings.timezone, now),
    }),
  )
}
