import { previewOf } from '#domain/messages/preview.ts'
import { isSigned, signed, unsigned } from '#domain/messages/signature.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { lowersUnread } from '#domain/tickets/reading.ts'
import { storeUpload } from '#features/files/server/index.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { type Ctx, unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'
import {
  insertMessages,
  type LedgerTicket,
  ledgerFacts,
  lockLedgerTicket,
  type NewMessage,
  type TicketTouch,
  touchTickets,
} from '../ingest/ingest-queries.ts'
import { requireVisible } from '../tickets/access.ts'
import { notifyMentioned } from '../tickets/notifications.ts'
import { deltaOf } from '../tickets/rows.ts'
import { announceMessages } from './announce.ts'
import { addTrail, findByIdFront, findMessages } from './queries.ts'
import { toWire } from './wire.ts'

/** What an agent sends: text, files, or an internal note. */
export type SendInput = {
  ticketId: number
  idFront: string
  body: string
  isNote: boolean
  quotedMsgId?: string | null | undefined
  durationMs?: number | undefined
  files: readonly StoredFile[]
}

/**
 * Stores what an agent wrote and records its sending in the same transaction (outbox). Repeated with the same idFront it
 * answers the first message again. Refused before anything is stored when the channel would refuse it.
 */
export async function sendMessages(platform: Platform, user: Actor, input: SendInput) {
  return unit(platform, { tenantId: user.tenantId, user }, async (ctx) => {
    await requireVisible({ ...ctx, user }, input.ticketId)
    const idFronts =
      input.files.length > 1
        ? input.files.map((_, index) => (index === 0 ? input.idFront : `${input.idFront}:${index}`))
        : [input.idFront]
    // The lock comes first: a repeat that runs at the same time waits here, and then finds what the first one stored.
    const ticket = (await lockLedgerTicket(ctx.db, input.ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
    const earlier = await findByIdFront(ctx.db, idFronts)
    if (earlier.length > 0) {
      if (earlier.some((message) => message.ticket_id !== input.ticketId)) fail('ERR_IDEMPOTENCY_MISMATCH')
      return { messages: earlier.map((row) => toWire(platform, ctx.tenantId, row)), ticket: deltaOf(ticket) }
    }
    check(ticket, input)
    if (input.quotedMsgId) await requireQuotable(ctx, input.ticketId, input.quotedMsgId)
    const messages = await toMessages(ctx, user, ticket, input, idFronts)
    const stored = await insertMessages(ctx.db, messages)
    const [after] = input.isNote
      ? [ticket]
      : await touchTickets(ctx.db, [afterSending(ticket, messages.at(-1)!, user)], ctx.now)
    await addTrail(ctx.db, input.isNote ? [] : messages.map((message) => ({ messageId: message.id, step: 'accepted' })))
    await announceMessages(ctx, messages, stored, [after!], () => '')
    if (!input.isNote) enqueueSending(ctx, ticket)
    else await notifyMentioned({ ...ctx, user }, messages[0]!)
    const rows = await findMessages(
      ctx.db,
      messages.map((message) => message.id),
    )
    return { messages: rows.map((row) => toWire(platform, ctx.tenantId, row)), ticket: deltaOf(after!) }
  })
}

/**
 * Writes an internal note into a ticket that the caller may write to, in the caller's transaction; repeated with the same
 * idFront it writes nothing.
 */
export async function storeNote(
  ctx: Ctx & { user: Actor },
  { ticketId, idFront, body }: Pick<SendInput, 'ticketId' | 'idFront' | 'body'>,
): Promise<void> {
  const ticket = (await lockLedgerTicket(ctx.db, ticketId)) ?? fail('ERR_NO_TICKET_FOUND')
  const [earlier] = await findByIdFront(ctx.db, [idFront])
  if (earlier && earlier.ticket_id !== ticketId) fail('ERR_IDEMPOTENCY_MISMATCH')
  if (earlier) return
  const note = { ticketId, idFront, body, isNote: true, files: [] }
  const messages = await toMessages(ctx, ctx.user, ticket, note, [idFront])
  await announceMessages(ctx, messages, await insertMessages(ctx.db, messages), [ticket], () => '')
}

/** Records that a conversation has something to send; its jobs run one after the other (decision B20). */
export function enqueueSending(
  ctx: Pick<Ctx, 'enqueue' | 'tenantId'>,
  conversation: { connection_id: number; conversation_key: string },
  runAt?: Date,
): void {
  const queue = `send:${ctx.tenantId}:${conversation.connection_id}:${conversation.conversation_key}`
  ctx.enqueue(
    'messages:send',
    { connectionId: conversation.connection_id, conversationKey: conversation.conversation_key },
    { key: queue, queue, ...(runAt ? { runAt } : {}) },
  )
}

function check(ticket: LedgerTicket, input: SendInput): void {
  if (input.files.length === 0 && input.body.trim() === '') fail('ERR_MESSAGE_EMPTY')
  if (input.isNote) return
  if (ticket.status === 'closed') fail('ERR_MESSAGE_TICKET_CLOSED')
  if (ticket.status === 'pending') fail('ERR_MESSAGE_TICKET_PENDING')
  const capabilities = capabilitiesOf(ticket.channel)
  if (input.body.length > capabilities.maxTextLength)
    fail('ERR_MESSAGE_TOO_LONG', { maxLength: capabilities.maxTextLength })
  for (const file of input.files) {
    const limit = capabilities.files[typeOfMime(file.mime)]
    if (!limit || limit.mimes?.includes(file.mime) === false) fail('ERR_FILE_TYPE')
    if (file.size > limit.maxBytes) fail('ERR_FILE_TOO_LARGE', { maxBytes: limit.maxBytes })
  }
}

// A quotation repeats its message: only what is said in this conversation, which its writer sees, can be quoted.
async function requireQuotable(ctx: Ctx, ticketId: number, messageId: string): Promise<void> {
  const [quoted] = await findMessages(ctx.db, [messageId])
  if (quoted?.ticket_id !== ticketId) fail('ERR_FETCH_WAPP_MSG')
}

async function toMessages(
  ctx: Ctx,
  user: Actor,
  ticket: LedgerTicket,
  input: SendInput,
  idFronts: readonly string[],
): Promise<NewMessage[]> {
  // A user who has to sign cannot leave it out, whatever the browser sends.
  const mustSign = isOn(ctx.settings, 'signed') && user.profile === 'user' && !input.isNote
  const words = mustSign && !isSigned(input.body) ? signed(input.body, user.name) : input.body
  const parts = input.files.length > 0 ? input.files.map((file) => asVoice(file, input.durationMs)) : [null]
  const messages: NewMessage[] = []
  for (const [index, file] of parts.entries()) {
    const id = ctx.newId()
    messages.push({
      id,
      ticketId: ticket.id,
      contactId: ticket.contact_id,
      connectionId: ticket.connection_id,
      conversationKey: ticket.conversation_key,
      providerId: null,
      idFront: idFronts[index]!,
      fromMe: true,
      isNote: input.isNote,
      userId: user.id,
      mediaType: file ? typeOfMime(file.mime) : input.isNote ? 'note' : 'text',
      body: index === 0 ? words : '',
      fileId: file ? await storeUpload(ctx, file, { durationMs: input.durationMs }) : null,
      data: null,
      quotedId: index === 0 ? (input.quotedMsgId ?? null) : null,
      quotedProviderId: null,
      status: input.isNote ? 'sent' : 'pending',
      sendType: 'chat',
      isLate: false,
      timestamp: Math.max(ctx.now.getTime(), ticket.last_message_at.getTime()) + index,
    })
  }
  return messages
}

// Browsers record into containers that could hold a film as well; what was recorded with a length is a voice note.
const asVoice = (file: StoredFile, durationMs: number | undefined): StoredFile =>
  durationMs === undefined ? file : { ...file, mime: file.mime.replace(/^video\//, 'audio/') }

// Who answers has read; a colleague's answer leaves the owner's count.
const afterSending = (ticket: LedgerTicket, last: NewMessage, by: Actor): TicketTouch => ({
  id: ticket.id,
  unread: lowersUnread(ledgerFacts(ticket), by) ? 0 : ticket.unread_messages,
  answered: true,
  lastMessage: previewOf({ type: last.mediaType as 'text', body: unsigned(last.body, by.name) }),
  lastMessageFromMe: true,
  lastMessageStatus: last.status,
  lastMessageAt: last.timestamp,
  lastMessageReceivedAt: ticket.last_message_received_at?.getTime() ?? null,
  waitingSince: null,
  status: ticket.status,
  closedAt: null,
})
