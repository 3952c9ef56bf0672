import { isRetryable } from '#domain/messages/status.ts'
import { itemAt } from '#domain/present.ts'
import { isBefore, type ReadingPosition } from '#domain/tickets/reading.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { PastTicket } from '../cache/thread-data.ts'
import type { OutboxItem } from '../outbox/outbox-state.ts'

/** Entry of the ticket's log, shown between messages. */
export type LogEntry = {
  id: number
  type: string
  label: string
  createdAt: string
  user: { name: string } | null
  queue: { queue: string } | null
  /** Reason of a pause; end of a snooze. */
  reason: string | null
  until: string | null
}

/**
 * Row of the conversation. `first` and `last` give the message's place in its group; `key` is stable when a sent message
 * replaces its pending one.
 */
export type ThreadRow =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'new'; key: string; count: number | null }
  | { kind: 'log'; key: string; log: LogEntry }
  /** Beginning of another ticket's messages; null: those of the open ticket. */
  | { kind: 'ticket'; key: string; ticket: PastTicket | null }
  /** `album`: pictures and films in one bubble; the first is the message itself. */
  | {
      kind: 'message'
      key: string
      message: MessageRow
      first: boolean
      last: boolean
      album?: readonly MessageRow[]
    }
  | { kind: 'outbox'; key: string; item: OutboxItem; first: boolean; last: boolean }
  | { kind: 'scheduled'; key: string; message: TicketDetail['scheduledMessages'][number] }

/** Input of the rows; `newFrom` is the id of the first message that was unread when the conversation opened. */
export type RowSource = {
  ticketId: number
  tickets: readonly PastTicket[]
  messages: readonly MessageRow[]
  outbox: readonly OutboxItem[]
  logs: readonly LogEntry[]
  newFrom: { id: string; count: number | null } | null
  /** True if nothing older can be loaded, so that older log entries have their place. */
  isWhole: boolean
  /** Scheduled messages, shown last. */
  scheduled?: TicketDetail['scheduledMessages'] | undefined
  dayOf: (at: number) => string
}

const togetherFor = 10 * 60_000
/** Log entries that are not shown: opening a ticket is no event of its conversation. */
const silent = new Set(['access'])

type Entry =
  | { at: number; kind: 'message'; message: MessageRow }
  | { at: number; kind: 'outbox'; item: OutboxItem }
  | { at: number; kind: 'log'; log: LogEntry }

/** Builds the rows of a conversation in order: days, groups of one author, log entries, and unsent messages last. */
export function threadRows(source: RowSource): ThreadRow[] {
  const { ticketId, messages, outbox, logs, isWhole, scheduled = [] } = source
  const sent = new Set(messages.map((message) => message.idFront).filter(Boolean))
  const from = isWhole ? Number.NEGATIVE_INFINITY : (messages[0]?.timestamp ?? Number.POSITIVE_INFINITY)
  // A ticket is created just after its first message arrives: begin with that message.
  const own = messages.find((message) => message.ticketId === ticketId)
  const isBegun = isWhole || own !== messages[0]
  const start = (isBegun && own?.timestamp) || Number.POSITIVE_INFINITY
  const timeOf = ({ type, createdAt }: LogEntry) =>
    type === 'create' ? Math.min(start, Date.parse(createdAt)) : Date.parse(createdAt)
  const lines: Entry[] = logs
    .filter((log) => !silent.has(log.type) && Date.parse(log.createdAt) >= from)
    .map((log) => ({ kind: 'log' as const, at: timeOf(log), log }))
    .sort((a, b) => a.at - b.at || a.log.id - b.log.id)
  const entries = merge(
    messages.map((message) => ({ kind: 'message' as const, at: message.timestamp, message })),
    lines,
  )
  for (const item of outbox) if (!sent.has(item.idFront)) entries.push({ kind: 'outbox', at: item.createdAt, item })
  const waiting = scheduled.map((message) => ({ kind: 'scheduled' as const, key: message.id, message }))
  return [...withLines(entries, source), ...waiting]
}

function merge(messages: Entry[], logs: Entry[]): Entry[] {
  const all: Entry[] = []
  let next = 0
  for (const message of messages) {
    while (next < logs.length && itemAt(logs, next).at <= message.at) all.push(itemAt(logs, next++))
    all.push(message)
  }
  return all.concat(logs.slice(next))
}

function withLines(entries: readonly Entry[], { ticketId, tickets, newFrom, dayOf }: RowSource): ThreadRow[] {
  const rows: ThreadRow[] = []
  let day = ''
  let ticket = ticketOf(entries[0], ticketId) === ticketId ? ticketId : null
  for (const [index, entry] of entries.entries()) {
    const today = dayOf(entry.at)
    if (today !== day) {
      rows.push({ kind: 'day', key: `day ${today}`, at: entry.at })
      day = today
    }
    const its = ticketOf(entry, ticketId)
    if (its !== ticket) {
      const key = `ticket-${its}-${entry.kind === 'message' ? entry.message.id : entry.at}`
      rows.push({ kind: 'ticket', key, ticket: tickets.find(({ id }) => id === its) ?? null })
      ticket = its
    }
    if (entry.kind === 'log') {
      rows.push({ kind: 'log', key: `log ${entry.log.id}`, log: entry.log })
      continue
    }
    const opensNew = entry.kind === 'message' && entry.message.id === newFrom?.id
    if (opensNew && newFrom) rows.push({ kind: 'new', key: 'new', count: newFrom.count })
    const first = opensNew || !joins(entries[index - 1], entry, dayOf)
    const last = !joins(entry, entries[index + 1], dayOf)
    if (entry.kind === 'outbox') rows.push({ kind: 'outbox', key: entry.item.idFront, item: entry.item, first, last })
    else {
      const { message } = entry
      const before = rows.at(-1)
      if (before?.kind === 'message' && isOfOneAlbum(before.message, message) && !opensNew) {
        rows[rows.length - 1] = { ...before, last, album: [...(before.album ?? [before.message]), message] }
      } else rows.push({ kind: 'message', key: message.idFront ?? message.id, message, first, last })
    }
  }
  return rows
}

/** Checks that a picture or film belongs into the bubble of those before it: same album, and no text except the first one's. */
const isOfOneAlbum = (first: MessageRow, next: MessageRow): boolean =>
  next.albumId !== null && first.albumId === next.albumId && next.body === '' && isShown(first) && isShown(next)

// A message that shows more than its picture gets a bubble of its own.
const isShown = ({ mediaType, isDeleted, file, status, reaction, reactionFromMe, acts }: MessageRow): boolean =>
  (mediaType === 'image' || mediaType === 'video') &&
  !isDeleted &&
  file !== null &&
  !isRetryable(status) &&
  !reaction &&
  !reactionFromMe &&
  acts.length === 0

// Pending messages and log entries belong to the open ticket.
const ticketOf = (entry: Entry | undefined, own: number): number =>
  entry?.kind === 'message' ? entry.message.ticketId : own

const author = (entry: Entry): string => {
  if (entry.kind === 'outbox') return entry.item.isNote ? entry.item.idFront : `user ${entry.item.userId}`
  if (entry.kind === 'log') return `log ${entry.log.id}`
  const { message } = entry
  if (message.isNote || message.mediaType === 'transfer') return message.id
  return message.fromMe ? `user ${message.userId}` : `contact ${message.sender?.id}`
}

const isOfTwo = (a: Entry, b: Entry): boolean =>
  a.kind === 'message' && b.kind === 'message' && a.message.ticketId !== b.message.ticketId

/** Checks that two neighbours belong to one group: same author, ticket and day, at most ten minutes apart. */
function joins(a: Entry | undefined, b: Entry | undefined, dayOf: RowSource['dayOf']): boolean {
  if (!a || !b || isOfTwo(a, b)) return false
  return author(a) === author(b) && b.at - a.at <= togetherFor && dayOf(a.at) === dayOf(b.at)
}

/** State when a conversation was opened: reading position, unread count, last message. */
export type Opening = {
  readonly position: ReadingPosition | undefined
  readonly unread: number
  /** Undefined if the conversation opened above its end. */
  readonly last: ReadingPosition | undefined
}

/**
 * Returns where the “novas mensagens” divider goes: before the contact's first message after the reading position; for a
 * first-time reader, before the last `unread` messages. Null while that message is not loaded but older pages remain
 * (`isWhole`: none do). The count is null if unknown.
 */
export function firstNew(
  messages: readonly MessageRow[],
  { position, unread, last }: Opening,
  isWhole: boolean,
): RowSource['newFrom'] {
  const incoming = messages.filter((one) => !one.fromMe && !one.isNote && !(last && isBefore(last, one)))
  const fresh = position
    ? incoming.filter((message) => isBefore(position, message))
    : unread > 0
      ? incoming.slice(-unread)
      : []
  const [start] = messages
  const isLoaded = isWhole || (position ? start && !isBefore(position, start) : incoming.length >= unread)
  if (!fresh[0] || !isLoaded) return null
  return { id: fresh[0].id, count: last ? Math.max(fresh.length, position ? 0 : unread) : null }
}

/** Returns the row index at which a conversation opens: the first new row after the reading position; -1 for its end. */
export function openingRow(rows: readonly ThreadRow[], { position, last }: Opening): number {
  const isNext = (row: ThreadRow) =>
    row.kind === 'new' || (!last && position && row.kind === 'message' && isBefore(position, row.message))
  const at = rows.findIndex(isNext)
  return rows[at - 1]?.kind === 'day' ? at - 1 : at
}
