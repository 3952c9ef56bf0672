import { TICKET_STATUSES } from '#domain/tickets/facts.ts'
import { attendanceFilter, waitedSince } from '#domain/tickets/filter.ts'
import { explain, type VisibilityRule, visibleTo } from '#domain/tickets/visibility.ts'
import { type LoadedTicket, loadedTicket } from '#features/ledger/server/rows/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import type { Returned } from '#kit/contract.ts'
import { type Actor, visibilitySettings } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import { type Asked as Page, pageOf, pageStartOf } from '#server/paging.ts'
import type { tickets } from '../../contract.ts'
import { type Asked, filterOf, orderOf, periodOf, sourceOf } from './list.ts'
import { pageOfTickets } from './queries-list.ts'
import { listColleagues } from './queries-viewers.ts'

type UserCtx = ReadCtx & { user: Actor }

/** Maximum number of tickets explained for a search without hits. */
const HIDDEN = 5

/** Returns the colleagues who may and may not see a ticket, by name, each with the visibility rule that decided. */
export async function listViewers(
  ctx: UserCtx,
  ticketId: number,
  query: Page,
): Promise<Returned<typeof tickets.viewers>> {
  const { facts } = await requireVisible(ctx, ticketId)
  const settings = visibilitySettings(ctx.settings)
  const found = await listColleagues(ctx.db, pageStartOf<readonly [string, number]>(query, 2))
  const { rows, paging } = pageOf(found, ({ folded, id }) => [folded, id])
  const people = rows.map((one) => ({ id: one.id, name: one.name, ...explain(facts, one, settings, null) }))
  return { people, count: people.length, countIsCapped: paging.hasMore, ...paging }
}

/** Returns tickets that a search finds outside of the user's list, each with the rule that excludes it. */
export async function listHidden(
  ctx: UserCtx,
  query: Asked & { searchParam: string },
): Promise<Returned<typeof tickets.hidden>> {
  const everything = attendanceFilter({ showAll: true, status: TICKET_STATUSES })
  const rows = await pageOfTickets(ctx.db, {
    criteria: visibleTo(ctx.user, visibilitySettings(ctx.settings), everything),
    where: [],
    source: await sourceOf(ctx, query.searchParam),
    order: orderOf(ctx),
    after: null,
    offset: 0,
    limit: HIDDEN,
    oldestFirst: false,
    viewerId: ctx.user.id,
  })
  const found = rows.map((row) => loadedTicket(ctx.platform, row))
  return {
    tickets: found.flatMap((ticket) => {
      const rule = ruleAgainst(ctx, query, ticket)
      return rule === null ? [] : [{ ticket: ticket.row, rule }]
    }),
  }
}

/** Returns the rule that excludes a ticket from the list; null if it is included. */
function ruleAgainst(
  { user, settings, now }: UserCtx,
  query: Asked,
  { row, facts }: LoadedTicket,
): VisibilityRule | null {
  const { visible, rule } = explain(facts, user, visibilitySettings(settings), filterOf(query))
  if (!visible) return rule
  const since = query.waitingMinutes ? waitedSince(query.waitingMinutes, now.getTime()) : now.getTime()
  const isAsked = query.scope === 'waiting' || query.waitingMinutes !== undefined
  const waits = row.waitingSince !== null && Number(row.waitingSince) <= since
  const { from, before } = periodOf(settings.timezone, query)
  const at = Number(row.lastMessageAt)
  const isOfPeriod = (!from || at >= from.getTime()) && (!before || at < before.getTime())
  const isLate = query.sla === undefined || row.sla?.state === query.sla
  const isOut = !isLate || !isOfPeriod || (query.scope === 'mine' && facts.userId !== user.id) || (isAsked && !waits)
  return isOut ? 'narrowing' : null
}
