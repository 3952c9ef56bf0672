import { searchableName } from '#domain/access/restricted.ts'
import { averageOf } from '#domain/ratings/evaluation.ts'
import { contactsShownAs, requireVisible, searchContacts, visibleSql } from '#features/tickets/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { evaluations } from '../contract.ts'
import {
  type EvaluationFilter,
  type EvaluationRecord,
  listEvaluations,
  listOfTicket,
  type Place,
  sumUp,
} from './queries.ts'

const PAGE = 40
const LAST_NUMBERED_PAGE = 50
const COUNTED = 10_000
/** Up to so many contacts a search begins with them; a commoner name is asked of each evaluation. */
const FOUND = 300

type UserCtx = ReadCtx & { user: Actor }

/** A page of the evaluations of tickets that the person may see, and with the first page what they amount to. */
export async function listRated(
  ctx: UserCtx,
  query: Input<typeof evaluations.list>['query'],
): Promise<Returned<typeof evaluations.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const filter: EvaluationFilter = {
    visible: visibleSql(ctx.user, ctx.settings),
    search: query.searchParam ? await searchOf(ctx, query.searchParam) : null,
    from: query.from,
    to: query.to,
    ratings: query.rating ?? [],
    user: query.user,
    answered: query.answered ?? false,
    zone: ctx.settings.timezone,
  }
  const after = query.cursor ? placeOf(query.cursor) : null
  const offset = after ? 0 : (query.pageNumber - 1) * PAGE
  const rows = await listEvaluations(ctx.db, filter, { after, offset, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  const hasMore = rows.length > PAGE
  const last = page.at(-1)
  const answer = {
    ticketEvaluations: page.map((row) => ({ ...wire(row), contactName: row.contact_name })),
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.place, last.id]) : null,
  }
  if (after) return { ...answer, count: page.length, countIsCapped: hasMore }
  const { count, amounts } = await sumUp(ctx.db, filter, COUNTED + 1)
  const answered = amounts.reduce((sum, amount) => sum + amount, 0)
  return {
    ...answer,
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    summary: { amounts, answered, average: averageOf(amounts) },
  }
}

/** A page of what a ticket's customer was asked, once for each closing. */
export async function listLogs(
  ctx: UserCtx,
  ticketId: number,
  query: Input<typeof evaluations.logs>['query'],
): Promise<Returned<typeof evaluations.logs>> {
  await requireVisible(ctx, ticketId)
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const before = query.cursor ? Number(decodeCursor(query.cursor, 1)[0]) : null
  const offset = before === null ? (query.pageNumber - 1) * PAGE : 0
  const rows = await listOfTicket(ctx.db, ticketId, { before, offset, limit: PAGE + 1 })
  const page = rows.slice(0, PAGE)
  const hasMore = rows.length > PAGE
  return {
    logs: page.map(wire),
    count: page.length,
    countIsCapped: hasMore,
    hasMore,
    nextCursor: hasMore ? encodeCursor([page.at(-1)!.id]) : null,
  }
}

async function searchOf({ db, user }: UserCtx, text: string): Promise<NonNullable<EvaluationFilter['search']>> {
  const ticketId = /^\d{1,15}$/.test(text) ? Number(text) : null
  if (user.restrictedUser) {
    // A hit would tell what is hidden: restricted users find by what they read of a name.
    const shown = searchableName(text)
    return { ticketId, contacts: shown === null ? [] : await contactsShownAs(db, shown, COUNTED) }
  }
  const found = await searchContacts(db, text, FOUND + 1)
  return { ticketId, contacts: found.length > FOUND ? { many: text } : found }
}

function placeOf(cursor: string): Place {
  const [at, id] = decodeCursor(cursor, 2)
  return Number.isSafeInteger(at) && Number.isSafeInteger(id)
    ? { at: at as number, id: id as number }
    : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

const wire = (row: EvaluationRecord) => ({
  id: row.id,
  ticketId: row.ticket_id,
  status: row.status,
  evaluation: row.evaluation,
  attempts: row.attempts,
  user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
  queue: row.queue_id === null ? null : { id: row.queue_id, queue: row.queue_name ?? '' },
  createdAt: row.asked_at,
  answeredAt: row.answered_at,
})
