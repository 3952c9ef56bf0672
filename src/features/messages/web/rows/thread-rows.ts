import { isRetryable } from '#domain/messages/status.ts'
import { itemAt } from '#domain/present.ts'
import { isBefore, type ReadingPosition } from '#domain/tickets/reading.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import type { PastTicket } from '../cache/thread-data.ts'
import type { OutboxItem } from '../outbox/outbox-state.ts'

/** A line of the ticket's log, as the conversation shows it between messages. */
export type LogEntry = {
  id: number
  type: string
  label: string
  createdAt: string
  user: { name: string } | null
  queue: { queue: string } | null
  /** Why it was paused; until when it was snoozed. */
  reason: string | null
  until: string | null
}

/** One row of the conversation. `first` and `last` are the message's place in its group; `key` outlives reconciliation. */
export type ThreadRow =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'new'; key: string; count: number | null }
  | { kind: 'log'; key: string; log: LogEntry }
  /** Beginning of another ticket's messages; null: those of the open ticket. */
  | { kind: 'ticket'; key: string; ticket: PastTicket | null }
  /** `album`: the pictures and films that stand in one bubble, the message being the first of them. */
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
  /** True when nothing older can be loaded, so that older log lines have their place. */
  isWhole: boolean
  /** What waits for its time: last of all. */
  scheduled?: TicketDetail['scheduledMessages'] | undefined
  dayOf: (at: number) => string
}

const togetherFor = 10 * 60_000
/** Log lines that a conversation is read by; opening a ticket is no event in it. */
const silent = new Set(['access'])

type Entry =
  | { at: number; kind: 'message'; message: MessageRow }
  | { at: number; kind: 'outbox'; item: OutboxItem }
  | { at: number; kind: 'log'; log: LogEntry }

/** Rows of a conversation in reading order: days, groups of one author, log lines, and what still waits to be sent last. */
export function threadRows(source: RowSource): ThreadRow[] {
  const { ticketId, messages, outbox, logs, isWhole, scheduled = [] } = source
  const sent = new Set(messages.map((message) => message.idFront).filter(Boolean))
  const from = isWhole ? Number.NEGATIVE_INFINITY : (messages[0]?.timestamp ?? Number.POSITIVE_INFINITY)
  // A conversation begins with its first message, although the ticket was made a moment after it arrived.
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

// A message with more to show than its picture has a bubble of its own.
const isShown = ({ mediaType, isDeleted, file, status, reaction, reactionFromMe, acts }: MessageRow): boolean =>
  (mediaType === 'image' || mediaType === 'video') &&
  !isDeleted &&
  file !== null &&
  !isRetryable(status) &&
  !reaction &&
  !reactionFromMe &&
  acts.length === 0

// What is written and what is logged belongs to the ticket that is open.
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

/** Tells whether two neighbours belong to one group: the same author and ticket, the same day, at most ten minutes apart. */
function joins(a: Entry | undefined, b: Entry | undefined, dayOf: RowSource['dayOf']): boolean {
  if (!a || !b || isOfTwo(a, b)) return false
  return author(a) === author(b) && b.at - a.at <= togetherFor && dayOf(a.at) === dayOf(b.at)
}

/** What was known when a conversation was opened: how far the person had read, what counted as unread, what was said last. */
export type Opening = {
  readonly position: ReadingPosition | undefined
  readonly unread: number
  /** Undefined: it was opened above its end. */
  readonly last: ReadingPosition | undefined
}

/**
 * Where the “novas mensagens” divider stands: before the first message of the contact behind what this person had read; for
 * somebody who had never read the conversation, before the last `unread` ones. Null while that message is not loaded, as
 * long as older ones can be (`isWhole`: none). The count is null where nobody has counted.
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

/** The row at which a conversation opens that goes on below the screen: what is new, or follows what was read; -1: its end. */
export function openingRow(rows: readonly ThreadRow[], { position, last }: Opening): number {
  const isNext = (row: ThreadRow) =>
    row.kind === 'new' || (!last && position && row.kind === 'message' && isBefore(position, row.message))
  const at = rows.findIndex(isNext)
  return rows[at - 1]?.kind === 'day' ? at - 1 : at
}
