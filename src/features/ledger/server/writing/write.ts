import type { Album } from '#domain/messages/album.ts'
import { isComment, type MessageData } from '#domain/messages/data.ts'
import type { MessageMentions } from '#domain/messages/group-mentions.ts'
import { previewOf } from '#domain/messages/preview.ts'
import type { MessageSender } from '#domain/messages/sender.ts'
import { unsigned } from '#domain/messages/signature.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { lookUp } from '#domain/present.ts'
import { lowersUnread } from '#domain/tickets/reading.ts'
import type { Ctx } from '#server/context.ts'
import { enqueueLinkCards } from '../links/cards.ts'
import { recordDownloads } from '../media/download.ts'
import { announceMessages, announceNewTickets } from '../messages/announce.ts'
import { addTrail, findMessages, type MessageRecord } from '../messages/queries.ts'
import { insertFormatted } from '../messages/queries-formatted.ts'
import { enqueueSending } from '../outbox/outbox.ts'
import { BEHIND_LIVE } from '../scheduled/due.ts'
import { insertAllLogs } from '../sets/queries-bulk.ts'
import {
  asTouched,
  insertMessages,
  type LedgerTicket,
  ledgerFacts,
  type MessageSchedule,
  type NewMessage,
  type StoredMessage,
  type TicketTouch,
  touchTickets,
} from '../ticket/queries.ts'

/** Author of a message: customer, colleague (here or on the phone itself), or the product itself, by cause. */
export type MessageSource = 'contact' | 'staff' | 'phone' | 'system' | 'bot' | 'campaign' | 'schedule'

/** Message to be written into its locked ticket. */
export type MessageDraft = {
  readonly ticket: LedgerTicket
  /** Its id, if chosen before it is written. */
  readonly id?: string
  /** Address that it came from, if the ticket's person used another one before. */
  readonly address?: string
  readonly source: MessageSource
  readonly mediaType: MessageType
  readonly body: string
  /** Epoch ms; if absent, now, behind the existing messages. */
  readonly timestamp?: number
  /** Sequence number among all messages, if known. */
  readonly seq?: number | null
  /** Colleague who wrote it. */
  readonly by?: { readonly id: number; readonly name: string }
  /** Seen by the team only: nothing is sent and nothing changes on the ticket. */
  readonly isNote?: boolean
  /** A customer's answer about a closed ticket, which stays closed and read. */
  readonly isAnswer?: boolean
  readonly sendType?: string
  readonly providerId?: string
  readonly idFront?: string
  readonly fileId?: string | null
  readonly data?: MessageData | null | undefined
  /** Encrypted pointer for fetching its file, if that is not here yet. */
  readonly pointer?: string | null
  /** Sanitized HTML of its text. */
  readonly html?: string | null
  /** Author within a group, and the members that the message mentions. */
  readonly sender?: MessageSender | null
  readonly mentions?: MessageMentions | null
  readonly album?: Album | null
  readonly quotedId?: string | null
  readonly quotedProviderId?: string | null
  /** Time until which it waits on the server without changing its ticket, in epoch ms. */
  readonly sendAt?: number
  /** Schedule of the message; `sendAt` is its time. */
  readonly schedule?: MessageSchedule
  /** Contact name in the event, if no more of it needs reading. */
  readonly contactName?: string
}

/** Messages written, and their tickets afterwards; `records` are the messages with more than text (author, file, quote). */
export type Written = {
  readonly messages: readonly NewMessage[]
  readonly records: readonly MessageRecord[]
  readonly tickets: readonly LedgerTicket[]
}

/**
 * Writes messages in order, in the caller's transaction and in sets: rows, first trail step, changes of tickets,
 * events, and the sending job. Delayed ones (`sendAt`) take their place later (`releaseMessages`). `opened` are tickets
 * that begin with them. Messages that are already stored (provider id, idFront) are skipped.
 */
export async function writeMessages(
  ctx: Ctx,
  drafts: readonly MessageDraft[],
  opened: readonly number[] = [],
): Promise<Written> {
  const messages: NewMessage[] = []
  const touches = new Map<number, TicketTouch>()
  const names = new Map<string, string>()
  for (const draft of drafts) {
    const before = touches.get(draft.ticket.id) ?? untouched(draft.ticket)
    const message = toMessage(ctx, draft, before)
    messages.push(message)
    names.set(message.id, draft.contactName ?? '')
    if (!draft.isNote && draft.sendAt === undefined) touches.set(draft.ticket.id, touched(before, draft, message))
  }
  const stored = messages.map((message) => foreseen(ctx, message)).filter((one) => one !== null)
  const isForeseen = stored.length === messages.length
  const tickets = [...new Map(drafts.map(({ ticket }) => [ticket.id, ticket])).values()].map((ticket) => {
    const touch = touches.get(ticket.id)
    return touch ? asTouched(ticket, touch, ctx.now) : ticket
  })
  const woken = tickets.filter(({ id }) => touches.get(id)?.wakes)
  const logs = woken.map(
    ({ id, queue_id }) => ({ ticketId: id, type: 'wake', userId: null, queueId: queue_id }) as const,
  )
  const outgoing = messages.filter(({ status }) => status === 'pending')
  const steps = outgoing.map(({ id, schedule }) =>
    schedule
      ? { messageId: id, step: 'scheduled', detail: { for: new Date(schedule.date).toISOString() } }
      : { messageId: id, step: 'accepted' },
  )
  const rich = messages.filter(hasMoreThanText).map(({ id }) => id)
  // Pipelined, and executed in this order.
  const writing = Promise.all([
    insertMessages(ctx.db, messages),
    recordDownloads(ctx, messages),
    insertFormatted(ctx.db, messages),
    touches.size > 0 && touchTickets(ctx.db, [...touches.values()], ctx.now),
    insertAllLogs(ctx.db, logs, ctx.now),
    addTrail(ctx.db, steps),
    rich.length > 0 ? findMessages(ctx.db, rich) : [],
  ])
  // Not awaited: the writes are pipelined with the following queries, and an error makes the commit fail.
  writing.catch(() => {})
  await announceNewTickets(ctx, opened)
  const [known, records] = isForeseen ? [stored, []] : await writing.then((done) => [done[0], done[6]] as const)
  announceMessages(ctx, messages, known, records, tickets, (id) => lookUp(names, id))
  enqueueLinkCards(ctx, messages)
  // Campaign messages are sent after those written by people.
  const isBehind = drafts.length > 0 && drafts.every(({ source }) => source === 'campaign')
  const sent = new Set(outgoing.filter(({ sendAt }) => sendAt === null).map(({ ticketId }) => ticketId))
  for (const ticket of tickets)
    if (sent.has(ticket.id)) enqueueSending(ctx, ticket, isBehind ? { priority: BEHIND_LIVE } : {})
  return { messages, records, tickets }
}

/**
 * Writes imported messages in order: no change of the ticket, no sending, no events. Messages that are already stored
 * are skipped.
 */
export async function writePast(ctx: Ctx, messages: readonly NewMessage[]): Promise<void> {
  await insertMessages(ctx.db, messages)
  await recordDownloads(ctx, messages)
}

const hasMoreThanText = ({ fileId, userId, quotedId, quotedProviderId }: NewMessage): boolean =>
  Boolean(fileId || userId || quotedId || quotedProviderId)

/** Predicts the columns that the database adds to a message; null unless certain (plain text with a `seq`, sent now). */
const foreseen = (ctx: Ctx, message: NewMessage): StoredMessage | null => {
  const { id, seq, sendAt } = message
  if (seq === null || sendAt !== null || hasMoreThanText(message)) return null
  return { id, seq, created_at: ctx.now, quoted_id: null }
}

function toMessage(ctx: Ctx, draft: MessageDraft, touch: TicketTouch): NewMessage {
  const { ticket, source, isNote = false, timestamp = Math.max(ctx.now.getTime(), touch.lastMessageAt + 1) } = draft
  const fromMe = source !== 'contact'
  return {
    id: draft.id ?? ctx.newId(),
    seq: draft.seq ?? null,
    ticketId: ticket.id,
    contactId: ticket.contact_id,
    connectionId: ticket.connection_id,
    conversationKey: draft.address ?? ticket.conversation_key,
    providerId: draft.providerId ?? null,
    idFront: draft.idFront ?? null,
    fromMe,
    isNote,
    userId: draft.by?.id ?? null,
    mediaType: draft.mediaType,
    body: draft.body,
    fileId: draft.fileId ?? null,
    data: draft.data ?? null,
    pointer: draft.pointer ?? null,
    html: draft.html ?? null,
    sender: draft.sender ?? null,
    mentions: draft.mentions ?? null,
    album: draft.album ?? null,
    quotedId: draft.quotedId ?? null,
    quotedProviderId: draft.quotedProviderId ?? null,
    // Messages written on the phone are already sent.
    status: !fromMe ? 'received' : isNote || source === 'phone' ? 'sent' : 'pending',
    sendType: draft.sendType ?? 'chat',
    isLate: !fromMe && timestamp < touch.lastMessageAt,
    timestamp,
    sendAt: draft.sendAt ?? null,
    schedule: draft.schedule ?? null,
  }
}

/** Returns the unchanged fields of a ticket, before a message. */
export const untouched = (ticket: LedgerTicket): TicketTouch => ({
  id: ticket.id,
  unread: ticket.unread_messages,
  answered: ticket.answered,
  lastMessage: ticket.last_message,
  lastMessageFromMe: ticket.last_message_from_me,
  lastMessageStatus: ticket.last_message_status,
  lastMessageSender: ticket.last_message_sender,
  lastMessageAt: ticket.last_message_at.getTime(),
  lastMessageReceivedAt: ticket.last_message_received_at?.getTime() ?? null,
  conversationKey: ticket.conversation_key,
  waitingSince: ticket.waiting_since?.getTime() ?? null,
  status: ticket.status,
  closedAt: null,
  wakes: false,
})

/**
 * Returns the changes of a ticket by a message. A customer waits from the first unanswered message; only a person's message
 * answers.
 */
export function touched(
  touch: TicketTouch,
  draft: Pick<MessageDraft, 'ticket' | 'address' | 'source' | 'mediaType' | 'body' | 'by' | 'isAnswer' | 'data'>,
  message: Pick<NewMessage, 'timestamp' | 'fromMe' | 'status'> & { readonly sender?: MessageSender | null },
): TicketTouch {
  const { ticket, source, by, isAnswer = false } = draft
  const { timestamp, fromMe, status } = message
  const body = by ? unsigned(draft.body, by.name) : draft.body
  const isNewest = timestamp >= touch.lastMessageAt
  const shown: TicketTouch = isNewest
    ? {
        ...touch,
        lastMessage: previewOf({ type: draft.mediaType, body }),
        lastMessageFromMe: fromMe,
        lastMessageStatus: status,
        lastMessageSender: message.sender?.name ?? null,
        lastMessageAt: timestamp,
      }
    : touch
  if (source === 'staff' || source === 'phone') {
    // Answering implies reading; a colleague's answer keeps the owner's unread count.
    const hasRead = by !== undefined && lowersUnread(ledgerFacts(ticket), by)
    return { ...shown, unread: hasRead ? 0 : touch.unread, answered: true, waitingSince: null }
  }
  if (source !== 'contact') return shown
  // A public comment does not open the window.
  const received = isComment(draft.data)
    ? shown
    : { ...shown, lastMessageReceivedAt: Math.max(touch.lastMessageReceivedAt ?? 0, timestamp) }
  if (isAnswer) return received
  return {
    ...received,
    // A contact with several addresses is answered where they wrote last, also if we wrote in the same second.
    conversationKey: (timestamp >= (touch.lastMessageReceivedAt ?? 0) && draft.address) || touch.conversationKey,
    unread: touch.unread + 1,
    answered: false,
    waitingSince: touch.waitingSince ?? timestamp,
    // Only a group's ticket can be a closed one here: it is used again.
    status: touch.status === 'closed' ? 'pending' : touch.status,
    wakes: ticket.snoozed_until !== null,
  }
}
