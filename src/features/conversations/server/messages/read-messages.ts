import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { requireVisible, visibleSql } from '../tickets/access.ts'
import { loadTicketRows } from '../tickets/rows.ts'
import { countMessages, findMessages, type Hit, type MessageCursor, pageOfMessages, searchMessages } from './queries.ts'
import { serializeMessage } from './serializer.ts'

const PAGE = 30
const MOST_PAGES = 50
const COUNT_CAP = 1000
const SHORTEST_SEARCH = 3

type UserCtx = ReadCtx & { user: Actor }

const cursorOf = ({ timestamp, seq }: { timestamp: Date; seq: number }): string =>
  encodeCursor([timestamp.toISOString(), seq])
const readCursor = (cursor: string): MessageCursor => {
  const [timestamp, seq] = decodeCursor(cursor, 2)
  return { timestamp: String(timestamp), seq: Number(seq) }
}

/** A page of a conversation in order of time: the newest, the next older or newer, or the one around a moment. */
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
  // Nothing there: no ticket for this user, or no message at this place.
  if (!first) await requireVisible(ctx, ticketId)
  const count = first ? first.total : await countMessages(ctx.db, ticketId)
  const rows = page.rows.map((row) => serializeMessage(ctx.platform, ctx.tenantId, row))
  return {
    messages: rows,
    messagesOffLine: [],
    count: Math.min(count, COUNT_CAP),
    countIsCapped: count > COUNT_CAP,
    hasMore: page.hasOlder,
    nextCursor: first && page.hasOlder ? cursorOf(first) : null,
    newerCursor: last && page.hasNewer ? cursorOf(last) : null,
    readUpTo: first?.read_up_to ? { timestamp: first.read_up_to[0], seq: first.read_up_to[1] } : null,
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
  const read = (input: Omit<Parameters<typeof pageOfMessages>[2], 'visible' | 'readerId'>) =>
    pageOfMessages(ctx.db, ticketId, { ...input, visible, readerId: ctx.user.id })
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

/**
 * Messages that contain the words, newest first, grouped by the tickets that the user may see. Who may see few of them
 * gets what there is of it among the newest 651, and the cursor with which to go on.
 */
export async function searchInMessages(
  ctx: UserCtx,
  query: { searchParam?: string | undefined; ticketId?: number | undefined; cursor?: string | undefined },
) {
  const term = query.searchParam ?? ''
  if (term.length < SHORTEST_SEARCH)
    fail('ERR_VALIDATION', { searchParam: `Escreva ao menos ${SHORTEST_SEARCH} letras.` })
  if (query.ticketId) await requireVisible(ctx, query.ticketId)
  const { page, next } = await findHits(ctx, term, query.ticketId ?? null, query.cursor)
  const found = new Map(
    (
      await findMessages(
        ctx.db,
        page.map((hit) => hit.id),
      )
    ).map((row) => [row.id, row]),
  )
  const rows = await loadTicketRows(ctx.db, [...new Set(page.map((hit) => hit.ticket_id))], {
    platform: ctx.platform,
    viewerId: ctx.user.id,
  })
  const byTicket = Map.groupBy(page, (hit) => hit.ticket_id)
  return {
    tickets: [...byTicket].map(([ticketId, hitsOfTicket]) => ({
      ticket: rows.get(ticketId)!.row,
      messages: hitsOfTicket.map((hit) => serializeMessage(ctx.platform, ctx.tenantId, found.get(hit.id)!)),
    })),
    count: page.length,
    countIsCapped: next !== null,
    hasMore: next !== null,
    nextCursor: next,
  }
}

// The first step is most people's page; the others are for who may see little of what there is.
const STEPS = [PAGE + 1, 4 * (PAGE + 1), 16 * (PAGE + 1)]

// A page of what may be seen, and the cursor behind which there is more.
async function findHits(ctx: UserCtx, term: string, ticketId: number | null, cursor: string | undefined) {
  const visible = visibleSql(ctx.user, ctx.settings)
  const seen: Hit[] = []
  let next = cursor ?? null
  for (const most of STEPS) {
    const from = next === null ? null : readCursor(next)
    const hits = await searchMessages(ctx.db, { term, ticketId, visible, from, most })
    seen.push(...hits.filter((hit) => hit.visible))
    if (seen.length > PAGE) return { page: seen.slice(0, PAGE), next: cursorOf(seen[PAGE - 1]!) }
    if (hits.length < most) return { page: seen, next: null }
    next = cursorOf(hits.at(-1)!)
  }
  return { page: seen, next }
}
