import { ackOf, advance, isRetryable } from '#domain/messages/status.ts'
import { itemAt } from '#domain/present.ts'
import { isBefore, type ReadingPosition } from '#domain/tickets/reading.ts'
import type { messageEvents } from '#features/ledger/message-events-contract.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketRow } from '#features/ledger/ticket-rows.ts'
import type { Payload } from '#kit/events.ts'

/** Loaded part of a conversation: messages sorted by timestamp, then seq, with cursors to the pages before and after. */
export type ThreadData = {
  readonly messages: readonly MessageRow[]
  /** Cursor of the older page; null if the first message is loaded. */
  readonly older: string | null
  /** Cursor of the newer page; null if the newest message is loaded. */
  readonly newer: string | null
  /** Other tickets of the contact that have loaded messages. */
  readonly tickets: readonly PastTicket[]
}

/** Another ticket of the contact, as shown in the stream. */
export type PastTicket = Pick<TicketRow, 'id' | 'createdAt' | 'queue' | 'username' | 'connectionName'>

/** A conversation without loaded messages. */
export const emptyThread: ThreadData = { messages: [], older: null, newer: null, tickets: [] }

/** Message event that a thread applies. */
export type ThreadEvent =
  | { type: 'create'; payload: Pick<Payload<typeof messageEvents.create>, 'message'> }
  | { type: 'update'; payload: Payload<typeof messageEvents.update> }
  | { type: 'ack'; payload: Payload<typeof messageEvents.ack> }

const before = (a: MessagePosition, b: MessagePosition): boolean =>
  a.timestamp < b.timestamp || (a.timestamp === b.timestamp && a.seq < b.seq)
type MessagePosition = Pick<MessageRow, 'timestamp' | 'seq'>

/** Returns the index of a message among sorted ones. */
function indexFor(messages: readonly MessageRow[], message: MessagePosition): number {
  let low = 0
  let high = messages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (before(itemAt(messages, middle), message)) low = middle + 1
    else high = middle
  }
  return low
}

// A person's resend is the only way back for a status.
const isResent = (known: MessageRow, status: MessageRow['status']): boolean =>
  (status === 'pending' || status === 'queued') && isRetryable(known.status)

const statusAfter = (known: MessageRow, status: MessageRow['status']) =>
  isResent(known, status) ? status : advance(known.status, status)

/** Merges two versions of a message: takes the given one, but never lowers the status and keeps a deletion. */
function newest(known: MessageRow, next: MessageRow): MessageRow {
  const status = statusAfter(known, next.status)
  return { ...next, status, ack: ackOf(status), isDeleted: known.isDeleted || next.isDeleted }
}

function upsert(messages: readonly MessageRow[], message: MessageRow): readonly MessageRow[] {
  const at = messages.findIndex((one) => one.id === message.id)
  if (at < 0) return messages.toSpliced(indexFor(messages, message), 0, message)
  const merged = newest(itemAt(messages, at), message)
  if (merged.timestamp === messages[at]?.timestamp && merged.seq === messages[at]?.seq) return messages.with(at, merged)
  const rest = messages.toSpliced(at, 1)
  return rest.toSpliced(indexFor(rest, merged), 0, merged)
}

/** Checks that a message lies within the loaded range; messages beyond a cursor come with their page. */
function isWithin({ messages, older, newer }: ThreadData, message: MessageRow): boolean {
  const first = messages[0]
  const last = messages.at(-1)
  if (older !== null && (!first || before(message, first))) return false
  return newer === null || (last !== undefined && before(message, last))
}

/** Applies an event to a thread; idempotent. Ignores messages outside of the loaded part. */
export function applyEvent(data: ThreadData, event: ThreadEvent): ThreadData {
  const { messages } = data
  if (event.type === 'ack') {
    const { id, status, errorCode } = event.payload
    const at = messages.findIndex((one) => one.id === id)
    const known = messages[at]
    if (!known) return data
    const next = statusAfter(known, status)
    if (next === known.status) return data
    // Canceled before it was sent: remove it.
    if (next === 'canceled' && known.sendAt !== null) return { ...data, messages: messages.toSpliced(at, 1) }
    return { ...data, messages: messages.with(at, { ...known, status: next, ack: ackOf(next), errorCode }) }
  }
  const { message } = event.payload
  const known = messages.find((one) => one.id === message.id)
  if (!known && (event.type === 'update' || !isWithin(data, message))) return data
  return { ...data, messages: upsert(messages, message) }
}

/** Adds the messages of a send response; keeps versions that an event has already brought. */
export function adopt(data: ThreadData, sent: readonly MessageRow[]): ThreadData {
  const unknown = sent.filter((message) => !data.messages.some((one) => one.id === message.id))
  return unknown.reduce((next, message) => applyEvent(next, { type: 'create', payload: { message } }), data)
}

/** Page of messages in a server response. */
export type ThreadPage = {
  messages: readonly MessageRow[]
  messagesOffLine?: readonly MessageRow[]
  nextCursor: string | null
  newerCursor: string | null
  tickets?: readonly PastTicket[]
}

/** Creates a thread from its first page: the newest, or the one around a moment. */
export function threadOf({
  messages,
  messagesOffLine = [],
  nextCursor,
  newerCursor,
  tickets = [],
}: ThreadPage): ThreadData {
  const all = [...messages, ...messagesOffLine].reduce<readonly MessageRow[]>(upsert, [])
  return { messages: all, older: nextCursor, newer: newerCursor, tickets }
}

/** Returns the thread with an older page before it or a newer page after it. */
export function withPage(data: ThreadData, direction: 'older' | 'newer', page: ThreadPage): ThreadData {
  const messages = page.messages.reduce<readonly MessageRow[]>(
    (all, message) => (all.some((one) => one.id === message.id) ? all : upsert(all, message)),
    data.messages,
  )
  const others = (page.tickets ?? []).filter(({ id }) => !data.tickets.some((one) => one.id === id))
  const next = { ...data, messages, tickets: [...data.tickets, ...others] }
  return direction === 'older' ? { ...next, older: page.nextCursor } : { ...next, newer: page.newerCursor }
}

/**
 * Moment to show (epoch ms): from the address, a quote, a search, or the beginning of a day. `reply`: the composer gets the
 * focus. A new object is a new request.
 */
export type Moment = { readonly timestamp: number; readonly isDay?: boolean; readonly reply?: boolean }

/** Returns the message nearest to a moment. */
export function nearest(all: readonly MessageRow[], timestamp: number): MessageRow | undefined {
  const away = (message: MessageRow) => Math.abs(message.timestamp - timestamp)
  return all.reduce<MessageRow | undefined>((best, one) => (!best || away(one) < away(best) ? one : best), undefined)
}

/** Returns the first message from a moment on, else the last one before it. */
export const firstFrom = (all: readonly MessageRow[], timestamp: number): MessageRow | undefined =>
  all.find((message) => message.timestamp >= timestamp) ?? all.at(-1)

/** Checks that the loaded part covers both sides of a moment. */
export const isAround = ({ messages, older, newer }: ThreadData, timestamp: number): boolean =>
  messages.some((message) => message.timestamp < timestamp || older === null) &&
  messages.some((message) => message.timestamp >= timestamp || newer === null)

/** Checks that unread messages begin before a page: it has messages of others, and none that were read. */
export const beginsBehind = (page: readonly MessageRow[], readUpTo: ReadingPosition, me: number): boolean =>
  page.every((message) => isBefore(readUpTo, message)) && page.some(({ userId }) => userId !== me)
