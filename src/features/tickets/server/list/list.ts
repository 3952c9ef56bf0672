import { seesWide } from '#domain/access/profiles.ts'
import { searchableName } from '#domain/access/restricted.ts'
import { startOfDay } from '#domain/calendar/day.ts'
import { allOf, type Criteria } from '#domain/criteria.ts'
import { itemAt } from '#domain/present.ts'
import type { TicketFacts } from '#domain/tickets/facts.ts'
import type { FigureList } from '#domain/tickets/figures.ts'
import { type AttendanceFilter, attendanceFilter, inTab, statusesOf, waitedSince } from '#domain/tickets/filter.ts'
import { visibleTo } from '#domain/tickets/visibility.ts'
import { ticketRowOf } from '#features/ledger/server/rows/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { cursorParts, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { type Actor, visibilitySettings } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { tickets } from '../../contract.ts'
import {
  type Condition,
  type Counted,
  changedSince,
  closedSince,
  contactsShownAs,
  countTabs,
  countTickets,
  isAnswered,
  isDue,
  isInFlow,
  isLate,
  isListed,
  isNotDue,
  isNotPending,
  isPending,
  isSnoozed,
  isWaiting,
  type Listed,
  listTicketIds,
  type Order,
  pageOfTickets,
  type Source,
  searchContacts,
  type TicketCursor,
  talkedBetween,
  waitingSince,
} from './queries-list.ts'

const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
const DAY_MS = 86_400_000
const everyTab = { tab: null, isGroup: null, onlyQueue: null, onlyUser: null, status: statusesOf('live') } as const
/** Maximum number of contacts for which a search goes from contacts to tickets; more common terms are checked per ticket. */
const FOUND = 300

type Query = Input<typeof tickets.list>['query']
/** Cursor of a list: the part of the list, and the row after which the page begins. */
type ListCursor = TicketCursor & { readonly part: number }
type UserCtx = Omit<ReadCtx, 'db'> & { user: Actor }

/** Returns a page of the attendance list: the filter, narrowed to what the user may see (specification §5, decisions A3–A5). */
export async function listTickets(
  ctx: ReadCtx & { user: Actor },
  query: Query,
): Promise<Returned<typeof tickets.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const filter = filterOf(query)
  requireStatus(ctx, filter)

  const source = await sourceOf(ctx, query.searchParam)
  const shown = listedOf(ctx, query, filter)
  const after = query.cursor ? cursorOf(query.cursor) : null
  const limit = Number(ctx.settings.values.ticketPage)
  const rows = await pageInParts(ctx, query, { ...shown, source }, after, limit)
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = page.at(-1)
  const answer = {
    tickets: page.map((row) => ticketRowOf(ctx.platform, row)),
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.position, last.id, last.part]) : null,
  }
  if (!query.count) return { ...answer, count: page.length, countIsCapped: hasMore }

  const count = await countTickets(ctx.db, { ...shown, source, most: COUNTED + 1 })
  const counts = await countLists(ctx, { searchParam: query.searchParam, scope: mine(query) }, filter, source)
  return { ...answer, count: Math.min(count, COUNTED), countIsCapped: count > COUNTED, counts }
}

type Part = { readonly where: readonly Condition[]; readonly order: Order; readonly oldestFirst: boolean }

/** Returns which tickets a list puts first. */
const firstOf = ({ dueFirst, sla, unansweredFirst }: Asked) =>
  dueFirst || sla ? 'due' : unansweredFirst ? 'unanswered' : null

// The tickets listed first are a separate part, so that each part has an index scan.
function partsOf(ctx: Pick<ReadCtx, 'settings'>, query: Asked): readonly Part[] {
  const order = hasPeriod(query) ? 'last_message_at' : orderOf(ctx)
  const usual: Omit<Part, 'where'> = { order, oldestFirst: query.oldestFirst ?? false }
  const due: Part = { where: [isDue], order: 'sla_due_at', oldestFirst: true }
  // Clocks at risk or missed are due.
  if (query.sla) return [due]
  if (query.pendingFirst) return [[isPending], [isNotPending]].map((where) => ({ where, ...usual }))
  const first = firstOf(query)
  if (first === 'due') return [due, { where: [isNotDue], ...usual }]
  return (first === 'unanswered' ? [[isWaiting], [isAnswered]] : [[]]).map((where) => ({ where, ...usual }))
}

/** Returns one row more than a page, read from one part of the list after the other; each row names its part. */
async function pageInParts(
  ctx: ReadCtx & { user: Actor },
  query: Query,
  listed: Listed & { source: Source },
  after: ListCursor | null,
  limit: number,
) {
  const parts = partsOf(ctx, query)
  if (after && after.part >= parts.length) return failCursor()
  const rows: (Awaited<ReturnType<typeof pageOfTickets>>[number] & { part: number })[] = []
  let offset = after ? 0 : (query.pageNumber - 1) * limit
  for (let part = after?.part ?? 0; part < parts.length && rows.length <= limit; part++) {
    const { where, order, oldestFirst } = itemAt(parts, part)
    const within = { ...listed, where: [...listed.where, ...where] }
    const found = await pageOfTickets(ctx.db, {
      ...within,
      order,
      after: after?.part === part ? after : null,
      offset,
      limit: limit + 1 - rows.length,
      oldestFirst,
      viewerId: ctx.user.id,
    })
    rows.push(...found.map((row) => ({ ...row, part })))
    // Subtracts the rows of this part from the offset of a numbered page.
    if (offset > 0 && part + 1 < parts.length)
      offset = Math.max(0, offset - (await countTickets(ctx.db, { ...within, most: offset })))
  }
  return rows
}

/** Counts the tickets of each tab, and of conversations and groups, within the viewer's narrowing. */
async function countLists(
  ctx: ReadCtx & { user: Actor },
  query: Asked,
  filter: AttendanceFilter,
  source: Source,
): Promise<Record<Counted, number>> {
  const settings = visibilitySettings(ctx.settings)
  const every = listedOf(ctx, query, { ...filter, ...everyTab })
  const live: Criteria<TicketFacts> = { field: 'status', in: everyTab.status }
  const apart: Criteria<TicketFacts> = { field: 'isGroup', in: [false] }
  const counted = {
    open: allOf(inTab('open', settings), apart),
    pending: allOf(inTab('pending', settings), apart),
    groups: allOf(inTab('live', settings), { field: 'isGroup', in: [true] }),
    waiting: inTab('live', settings),
    snoozed: allOf(inTab('snoozed', settings), apart),
    chatbot: allOf(inTab('chatbot', settings), apart),
  }
  return countTabs(ctx.db, { source, ...every, criteria: allOf(every.criteria, live), counted })
}

/** Returns the ids of all tickets in a list, up to `most`, in its order. */
export async function selectTicketIds(ctx: ReadCtx & { user: Actor }, query: Asked, most: number): Promise<number[]> {
  const filter = filterOf(query)
  requireStatus(ctx, filter)
  const source = await sourceOf(ctx, query.searchParam)
  return listTicketIds(ctx.db, {
    ...listedOf(ctx, query, filter),
    source,
    order: hasPeriod(query) ? 'last_message_at' : orderOf(ctx),
    oldestFirst: query.oldestFirst ?? false,
    first: firstOf(query),
    most,
  })
}

/** Counts the tickets in a list, up to `most`. */
export const countListed = (ctx: UserCtx & Pick<ReadCtx, 'db'>, query: Asked, most: number): Promise<number> =>
  countTickets(ctx.db, { ...listedOf(ctx, query, filterOf(query)), source: { kind: 'all' }, most })

/** Returns the sort column of the company's lists. */
export const orderOf = ({ settings }: Pick<ReadCtx, 'settings'>): Exclude<Order, 'sla_due_at'> =>
  isOn(settings, 'listByLastMessage') ? 'last_message_at' : 'updated_at'

function requireStatus({ user, settings }: Pick<UserCtx, 'user' | 'settings'>, filter: AttendanceFilter): void {
  const isWide = seesWide(user, isOn(settings, 'supervisorAdmin'))
  if (filter.status.length === 0 && filter.tab === null && !(filter.showAll && isWide)) fail('ERR_NO_STATUS_SELECTED')
}

/** Query of a list, all fields optional. */
export type Asked = Partial<Query>
const mine = ({ scope }: Asked) => (scope === 'mine' ? scope : undefined)

/** Returns the conditions of a list: the viewer's visibility with the filter, and the rest of the query. */
function listedOf(ctx: UserCtx, query: Asked, filter: AttendanceFilter): Listed {
  const today = () => startOfDay(ctx.settings.timezone, ctx.now.getTime())
  const visible = visibleTo(ctx.user, visibilitySettings(ctx.settings), filter)
  const { from, before } = periodOf(ctx.settings.timezone, query)
  const period = hasPeriod(query) ? talkedBetween(from, before) : null
  const own: Criteria<TicketFacts> = query.scope !== 'mine' || { field: 'userId', in: [ctx.user.id] }
  const where: Condition[] = [
    ...(query.scope === 'waiting' ? [isWaiting] : []),
    ...(query.waitingMinutes
      ? [isWaiting, waitingSince(new Date(waitedSince(query.waitingMinutes, ctx.now.getTime())))]
      : []),
    ...(query.sla ? [isLate(query.sla)] : []),
    ...(period ? [period] : []),
    ...(query.closedToday ? [closedSince(today())] : []),
    ...(filter.tab === 'snoozed' ? [isSnoozed] : []),
    ...(filter.tab === 'chatbot' ? [isInFlow] : []),
    ...recent(ctx, query.searchParam),
  ]
  return { criteria: allOf(visible, own), where, ...(period ? { period } : {}) }
}

/** Converts the days of the query to a period of last messages. */
export function periodOf(zone: string, { from, to }: Asked): { from: Date | null; before: Date | null } {
  const at = (day: string, moreMs = 0) => startOfDay(zone, Date.parse(`${day}T12:00Z`) + moreMs)
  return { from: from ? at(from) : null, before: to ? at(to, DAY_MS) : null }
}

const hasPeriod = ({ from, to }: Asked): boolean => Boolean(from || to)

/** Returns the SQL condition for the list that a figure opens for this user. */
export function inList(ctx: UserCtx, { isGroup, ...figure }: FigureList & { showAll?: boolean }): Condition {
  const query = isGroup === null ? figure : { ...figure, isGroup }
  return isListed(listedOf(ctx, query, filterOf(query)))
}

/** Returns the complete filter of a query. */
export function filterOf(query: Asked): AttendanceFilter {
  return attendanceFilter({
    tab: query.tab ?? null,
    isGroup: query.isGroup ?? null,
    onlyQueue: query.onlyQueue ?? null,
    onlyUser: query.onlyUser ?? null,
    ...(query.status ? { status: query.status } : {}),
    showAll: query.showAll ?? false,
    queuesIds: query.queuesIds ?? [],
    whatsappIds: query.whatsappIds ?? [],
    selectedUser: query.selectedUser ?? null,
    tags: query.tags ?? [],
    kanban: query.kanban ?? [],
    withUnreadMessages: query.withUnreadMessages ?? false,
    isNotAssignedUser: query.isNotAssignedUser ?? false,
    includeNotQueueDefined: query.includeNotQueueDefined ?? true,
  })
}

// Hides tickets without change for the configured days, except in searches.
function recent({ settings, now }: Pick<ReadCtx, 'settings' | 'now'>, search: string | undefined) {
  if (search || !isOn(settings, 'ticketLimit')) return []
  return [changedSince(new Date(now.getTime() - Number(settings.values.ticketLimitDaysAgo) * 86_400_000))]
}

/** Returns the source of a list: all tickets, or those that a search finds. */
export async function sourceOf(ctx: ReadCtx & { user: Actor }, search: string | undefined): Promise<Source> {
  if (!search) return { kind: 'all' }
  const digits = search.replace(/[\s()+.#-]/g, '')
  const isNumber = /^\d+$/.test(digits)
  const term = isNumber ? digits : search
  const ticketId = isNumber && digits.length <= 15 ? Number(digits) : null
  if (ctx.user.restrictedUser) return visibleSource(ctx, search, ticketId)
  const contactIds = await searchContacts(ctx.db, term, FOUND + 1)
  return contactIds.length > FOUND ? { kind: 'scan', term, ticketId } : { kind: 'found', contactIds, ticketId }
}

// A match would reveal hidden data: restricted users search by ticket id and by the visible part of a name.
async function visibleSource(ctx: ReadCtx, search: string, ticketId: number | null): Promise<Source> {
  const term = searchableName(search)
  if (term === null) return { kind: 'found', contactIds: [], ticketId }
  const contactIds = await contactsShownAs(ctx.db, term, FOUND + 1)
  if (contactIds.length > FOUND) return { kind: 'scan', term, ticketId, shownOnly: true }
  return { kind: 'found', contactIds, ticketId }
}

function cursorOf(cursor: string): ListCursor {
  const [at, id, part] = cursorParts(cursor, ['number', 'number', 'number'])
  if (![at, id, part].every(Number.isSafeInteger) || part < 0) return failCursor()
  return { at, id, part }
}

const failCursor = (): never => fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
