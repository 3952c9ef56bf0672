import { itemAt, lookUp } from '#domain/present.ts'
import { findMessages, serializeMessage } from '#features/ledger/server/messages/index.ts'
import { loadTicketRows } from '#features/ledger/server/rows/index.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { messages } from '../../contract.ts'
import { cursorOf, readCursor } from './read-messages.ts'
import { type Hit, type Sought, searchMessages } from './search-queries.ts'

const PAGE = 30
const SHORTEST = 3

type UserCtx = ReadCtx & { user: Actor }
type Query = Input<typeof messages.search>['query']

/**
 * Searches messages whose text or file name contains every term (ignoring case and accents), newest first, grouped by
 * visible ticket. A page holds what was found within the work limit of a request, and the cursor to continue.
 */
export async function searchInMessages(ctx: UserCtx, query: Query) {
  const sought = soughtOf(query)
  if (sought.ticketId !== null) await requireVisible(ctx, sought.ticketId)
  const { page, next } = await findHits(ctx, sought, query)
  const ids = page.map((hit) => hit.id)
  const found = new Map((await findMessages(ctx.db, ids)).map((row) => [row.id, row]))
  const rows = await loadTicketRows(ctx.db, [...new Set(page.map((hit) => hit.ticket_id))], {
    platform: ctx.platform,
    viewerId: ctx.user.id,
  })
  const byTicket = Map.groupBy(page, (hit) => hit.ticket_id)
  return {
    tickets: [...byTicket].map(([ticketId, hitsOfTicket]) => ({
      ticket: lookUp(rows, ticketId).row,
      messages: hitsOfTicket.map((hit) => serializeMessage(ctx.platform, ctx.tenantId, lookUp(found, hit.id))),
    })),
    count: page.length,
    countIsCapped: next !== null,
    hasMore: next !== null,
    nextCursor: next,
    searchedTo: next === null ? null : new Date(readCursor(next).timestamp),
  }
}

function soughtOf(query: Query): Sought {
  const {
    searchParam = '',
    ticketId = null,
    since,
    until,
    fromMe = null,
    userId = null,
    mediaType = null,
    queuesIds = null,
  } = query
  const parts = searchParam.split(/\s+/).filter((part) => part !== '')
  const isLongEnough = parts.some((part) => ticketId !== null || [...part].length >= SHORTEST)
  if (!isLongEnough)
    fail('ERR_VALIDATION', {
      searchParam: ticketId ? 'Escreva o que procura.' : `Escreva ao menos uma palavra de ${SHORTEST} letras.`,
    })
  const dateOf = (moment: number | undefined) => (moment === undefined ? null : new Date(moment))
  return { parts, ticketId, since: dateOf(since), until: dateOf(until), fromMe, userId, kinds: mediaType, queuesIds }
}

// The first step fills the page of most users; larger steps are for users who may see few of the matches.
const STEPS = [PAGE + 1, 4 * (PAGE + 1), 16 * (PAGE + 1)]

// Returns a page of visible hits, and the cursor after which more may follow.
async function findHits(ctx: UserCtx, sought: Sought, { cursor }: Query) {
  const visible = visibleSql(ctx.user, ctx.settings)
  const seen: Hit[] = []
  let next = cursor ?? null
  for (const most of STEPS) {
    const from = next === null ? null : readCursor(next)
    const hits = await searchMessages(ctx.db, sought, { visible, from, most })
    const last = hits.at(-1)
    seen.push(...hits.filter((hit) => hit.visible))
    if (seen.length > PAGE) return { page: seen.slice(0, PAGE), next: cursorOf(itemAt(seen, PAGE - 1)) }
    if (last && !last.isHit) return { page: seen, next: cursorOf(last) }
    if (hits.length < most) return { page: seen, next: null }
    next = cursorOf(last!)
  }
  return { page: seen, next }
}
