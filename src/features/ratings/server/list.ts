import { searchableName } from '#domain/access/restricted.ts'
import { averageOf } from '#domain/ratings/rating.ts'
import { contactsShownAs, searchContacts } from '#features/tickets/server/list/index.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import type { Actor } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import type { evaluations } from '../contract.ts'
import { listEvaluations, listOfTicket, type RatingFilter, type RatingRecord, sumUp } from './queries.ts'

const COUNTED = 10_000
/** Maximum number of contacts that a search starts from; a more common name is tested per rating. */
const FOUND = 300

type UserCtx = ReadCtx & { user: Actor }

/** Returns a page of the ratings of visible tickets, and with the first page a summary. */
export async function listRated(
  ctx: UserCtx,
  query: Input<typeof evaluations.list>['query'],
): Promise<Returned<typeof evaluations.list>> {
  const start = exactPageStartOf<[number, number]>(query, 2)
  const filter: RatingFilter = {
    visible: visibleSql(ctx.user, ctx.settings),
    search: query.contactId
      ? { ticketId: null, contacts: [query.contactId] }
      : query.searchParam
        ? await searchOf(ctx, query.searchParam)
        : null,
    from: query.from,
    to: query.to,
    ratings: query.rating ?? [],
    user: query.user,
    answered: query.answered ?? false,
    zone: ctx.settings.timezone,
  }
  const found = await listEvaluations(ctx.db, filter, start)
  const { rows, paging } = pageOf(found, (row) => [row.position, row.id])
  const answer = {
    ticketEvaluations: rows.map((row) => ({ ...serialize(row), contactName: row.contact_name })),
    ...paging,
  }
  if (start.after) return { ...answer, count: rows.length, countIsCapped: paging.hasMore }
  const { count, amounts } = await sumUp(ctx.db, filter, COUNTED + 1)
  const answered = amounts.reduce((sum, amount) => sum + amount, 0)
  return {
    ...answer,
    count: Math.min(count, COUNTED),
    countIsCapped: count > COUNTED,
    summary: { amounts, answered, average: averageOf(amounts) },
  }
}

/** Returns a page of a ticket's rating requests, one per closing. */
export async function listLogs(
  ctx: UserCtx,
  ticketId: number,
  query: Input<typeof evaluations.logs>['query'],
): Promise<Returned<typeof evaluations.logs>> {
  await requireVisible(ctx, ticketId)
  const found = await listOfTicket(ctx.db, ticketId, exactPageStartOf<[number]>(query, 1))
  const { rows, paging } = pageOf(found, (row) => [row.id])
  return { logs: rows.map(serialize), count: rows.length, countIsCapped: paging.hasMore, ...paging }
}

async function searchOf({ db, user }: UserCtx, text: string): Promise<NonNullable<RatingFilter['search']>> {
  const ticketId = /^\d{1,15}$/.test(text) ? Number(text) : null
  if (user.restrictedUser) {
    // A match would reveal hidden names: restricted users search by the shown letters.
    const shown = searchableName(text)
    return { ticketId, contacts: shown === null ? [] : await contactsShownAs(db, shown, COUNTED) }
  }
  const found = await searchContacts(db, text, FOUND + 1)
  return { ticketId, contacts: found.length > FOUND ? { many: text } : found }
}

/** Serializes a rating. */
const serialize = (row: RatingRecord) => ({
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
