import { firstOf } from '#domain/present.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { type MessageRecord, serializeMessage } from '#features/ledger/server/messages/index.ts'
import { loadTicketRows, ticketsAway } from '#features/ledger/server/rows/index.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import {
  countMessages,
  hasContact,
  type MessageCursor,
  pageOfContact,
  pageOfMessages,
  type StreamScope,
} from './page-queries.ts'

const PAGE = 30
const MOST_PAGES = 50
const COUNT_CAP = 1000

type UserCtx = ReadCtx & { user: Actor }

/** Encodes the position of a message as a cursor. */
export const cursorOf = ({ timestamp, seq }: { timestamp: Date; seq: number }): string =>
  encodeCursor([timestamp.toISOString(), seq])
/** Decodes a cursor into a position. */
export const readCursor = (cursor: string): MessageCursor => {
  const [timestamp, seq] = decodeCursor(cursor, 2)
  return { timestamp: String(timestamp), seq: Number(seq) }
}

/** Returns a page of a conversation in order of time: the newest, the next older or newer, or the one around a moment. */
export async function readMessages(
  ctx: UserCtx,
  ticketId: number,
  query: {
    pageNumber: number
    cursor?: string | undefined
    timestamp?: number | undefined
    direction?: 'older' | 'newer' | undefined
  },
) {
  if (query.pageNumber > MOST_PAGES) fail('ERR_PAGE_TOO_FAR')
  const page = await find(ctx, ticketId, query)
  const [first] = page.rows
  const last = page.rows.at(-1)
  // Empty page: no visible ticket, or no message at this position.
  if (!first) await requireVisible(ctx, ticketId)
  const count = first ? first.around.total : await countMessages(ctx.db, ticketId)
  const rows = page.rows.map((row) => serializeMessage(ctx.platform, ctx.tenantId, row))
  const readUpTo = first?.around.read_up_to
  return {
    messages: rows,
    tickets: await ticketsOf(ctx, page.rows, ticketId),
    messagesOffLine: await waitingFor(ctx, query, rows),
    count: Math.min(count, COUNT_CAP),
    countIsCapped: count > COUNT_CAP,
    hasMore: page.hasOlder,
    nextCursor: first && page.hasOlder ? cursorOf(first) : null,
    newerCursor: last && page.hasNewer ? cursorOf(last) : null,
    readUpTo: readUpTo ? { timestamp: readUpTo[0], seq: readUpTo[1] } : null,
  }
}

/** Returns those messages of the newest page that wait until their channel is back. */
async function waitingFor<R extends Pick<MessageRow, 'fromMe' | 'status' | 'ticketId'>>(
  { db }: UserCtx,
  {
    pageNumber,
    cursor,
    timestamp,
  }: { pageNumber: number; cursor?: string | undefined; timestamp?: number | undefined },
  rows: readonly R[],
): Promise<R[]> {
  if (pageNumber > 1 || cursor !== undefined || timestamp !== undefined) return []
  const waiting = rows.filter(({ fromMe, status }) => fromMe && status === 'pending')
  if (waiting.length === 0) return []
  const away = await ticketsAway(db, [...new Set(waiting.map(({ ticketId }) => ticketId))])
  return waiting.filter(({ ticketId }) => away.has(ticketId))
}

/** Scope of a contact's past in a thread (product facts, 3.8), from the settings `messageListingType` and `groupTickets`. */
function scopeOf({ settings }: UserCtx): StreamScope {
  const listings: Readonly<Record<string, StreamScope>> = { byTicket: 'ticket', byQueue: 'queue', complete: 'contact' }
  return listings[settings.values.messageListingType] ?? (isOn(settings, 'groupTickets') ? 'channel' : 'queue')
}

// Most streams hold one ticket only and need no further query.
async function ticketsOf(ctx: UserCtx, rows: readonly MessageRecord[], own: number | null) {
  const ids = [...new Set(rows.map((row) => row.ticket_id))].filter((id) => id !== own)
  if (ids.length === 0) return []
  const found = await loadTicketRows(ctx.db, ids, { platform: ctx.platform, viewerId: ctx.user.id })
  return [...found.values()].map(({ row }) => row)
}

/** Returns a page of a contact's messages from all tickets that the user may see, in order of time; the newest page first. */
export async function readContactMessages(
  ctx: UserCtx,
  contactId: number,
  query: { pageNumber: number; cursor?: string | undefined },
) {
  if (query.pageNumber > MOST_PAGES && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const from = query.cursor ? readCursor(query.cursor) : null
  const found = await pageOfContact(ctx.db, contactId, {
    visible: visibleSql(ctx.user, ctx.settings),
    from,
    offset: from ? 0 : (query.pageNumber - 1) * PAGE,
    limit: PAGE + 1,
  })
  if (found.length === 0 && !(await hasContact(ctx.db, contactId))) fail('ERR_NO_CONTACT_FOUND')
  const rows = found.slice(-PAGE)
  const hasMore = found.length > PAGE
  return {
    messages: rows.map((row) => serializeMessage(ctx.platform, ctx.tenantId, row)),
    tickets: await ticketsOf(ctx, rows, null),
    count: rows.length,
    countIsCapped: hasMore,
    hasMore,
    nextCursor: hasMore ? cursorOf(firstOf(rows)) : null,
  }
}

type Page = { rows: Awaited<ReturnType<typeof pageOfMessages>>; hasOlder: boolean; hasNewer: boolean }

async function find(
  ctx: UserCtx,
  ticketId: number,
  query: {
    pageNumber: number
    cursor?: string | undefined
    timestamp?: number | undefined
    direction?: 'older' | 'newer' | undefined
  },
): Promise<Page> {
  const visible = visibleSql(ctx.user, ctx.settings)
  const read = (input: Omit<Parameters<typeof pageOfMessages>[2], 'visible' | 'scope' | 'readerId'>) =>
    pageOfMessages(ctx.db, ticketId, { ...input, visible, scope: scopeOf(ctx), readerId: ctx.user.id })
  if (query.timestamp !== undefined && !query.cursor) {
    const from: MessageCursor = { timestamp: new Date(query.timestamp).toISOString(), seq: 0 }
    const older = await read({ direction: 'older', from, limit: PAGE / 2 + 1 })
    const newer = await read({ direction: 'newer', from, limit: PAGE / 2 + 1, inclusive: true })
    const rows = [...older.slice(-PAGE / 2), ...newer.slice(0, PAGE / 2)]
    return { rows, hasOlder: older.length > PAGE / 2, hasNewer: newer.length > PAGE / 2 }
  }
  const from = query.cursor ? readCursor(query.cursor) : null
  if (from && query.direction === 'newer') {
    const rows = await read({ direction: 'newer', from, limit: PAGE + 1 })
    return { rows: rows.slice(0, PAGE), hasOlder: true, hasNewer: rows.length > PAGE }
  }
  const offset = from ? 0 : (query.pageNumber - 1) * PAGE
  const rows = await read({ direction: 'older', from, offset, limit: PAGE + 1 })
  return {
    rows: rows.slice(-PAGE),
    hasOlder: rows.length > PAGE,
    hasNewer: Boolean(query.cursor) || query.pageNumber > 1,
  }
}
