import { seesWide } from '#domain/access/profiles.ts'
import { searchableName } from '#domain/access/restricted.ts'
import { type AttendanceFilter, attendanceFilter } from '#domain/tickets/filter.ts'
import { visibleTo } from '#domain/tickets/visibility.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { decodeCursor, encodeCursor } from '#kit/cursor.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { type Actor, visibilitySettings } from '#server/actors.ts'
import type { ReadCtx } from '#server/context.ts'
import type { tickets } from '../contract.ts'
import {
  changedSince,
  contactsShownAs,
  countTabs,
  countTickets,
  isLive,
  isWaiting,
  ownedBy,
  type Place,
  pageOfTickets,
  type Source,
  searchContacts,
} from './queries-list.ts'
import { ticketsWhere } from './queries-visibility.ts'
import { loadedTicket } from './rows.ts'

const LAST_NUMBERED_PAGE = 50
const COUNTED = 1000
const LIVE = ['open', 'pending'] as const
/** Up to so many contacts a search goes from the contacts to their tickets; a commoner term is asked of the tickets. */
const FOUND = 300

type Query = Input<typeof tickets.list>['query']

/** A page of the attendance list: the filter, narrowed to what the user may see (specification §5, decisions A3–A5). */
export async function listTickets(
  ctx: ReadCtx & { user: Actor },
  query: Query,
): Promise<Returned<typeof tickets.list>> {
  if (query.pageNumber > LAST_NUMBERED_PAGE && !query.cursor) fail('ERR_PAGE_TOO_FAR')
  const filter = filterOf(query)
  const isWide = seesWide(ctx.user, isOn(ctx.settings, 'supervisorAdmin'))
  if (filter.status.length === 0 && filter.tab === null && !(filter.showAll && isWide)) fail('ERR_NO_STATUS_SELECTED')

  const source = await sourceOf(ctx, query.searchParam)
  const list = (changed: Partial<AttendanceFilter>) => [
    ticketsWhere(visibleTo(ctx.user, visibilitySettings(ctx.settings), { ...filter, ...changed })),
    ...(query.scope === 'mine' ? [ownedBy(ctx.user.id)] : []),
    ...recent(ctx, query.searchParam),
  ]
  const shown = [...list({}), ...(query.scope === 'waiting' ? [isWaiting] : [])]
  const after = query.cursor ? placeOf(query.cursor) : null
  const limit = Number(ctx.settings.values.ticketPage)
  const rows = await pageOfTickets(ctx.db, {
    source,
    where: shown,
    order: isOn(ctx.settings, 'listByLastMessage') ? 'last_message_at' : 'updated_at',
    after,
    offset: after ? 0 : (query.pageNumber - 1) * limit,
    limit: limit + 1,
    viewerId: ctx.user.id,
  })
  const page = rows.slice(0, limit)
  const hasMore = rows.length > limit
  const last = page.at(-1)
  const answer = {
    tickets: page.map((row) => loadedTicket(ctx.platform, row).row),
    hasMore,
    nextCursor: hasMore && last ? encodeCursor([last.place, last.id]) : null,
  }
  if (!query.count) return { ...answer, count: page.length, countIsCapped: hasMore }

  const count = await countTickets(ctx.db, { source, where: shown, most: COUNTED + 1 })
  const counts = await countTabs(ctx.db, {
    source,
    where: [...list({ tab: null, isGroup: null, status: LIVE }), isLive],
  })
  return { ...answer, count: Math.min(count, COUNTED), countIsCapped: count > COUNTED, counts }
}

function filterOf(query: Query): AttendanceFilter {
  return attendanceFilter({
    tab: query.tab ?? null,
    isGroup: query.isGroup ?? null,
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

// What has not changed for long is left out of the list; who looks for something finds it all the same.
function recent({ settings, now }: ReadCtx, search: string | undefined) {
  if (search || !isOn(settings, 'ticketLimit')) return []
  return [changedSince(new Date(now.getTime() - Number(settings.values.ticketLimitDaysAgo) * 86_400_000))]
}

async function sourceOf(ctx: ReadCtx & { user: Actor }, search: string | undefined): Promise<Source> {
  if (!search) return { kind: 'all' }
  const digits = search.replace(/[\s()+.#-]/g, '')
  const isNumber = /^\d+$/.test(digits)
  const term = isNumber ? digits : search
  const ticketId = isNumber && digits.length <= 15 ? Number(digits) : null
  if (ctx.user.restrictedUser) return visibleSource(ctx, search, ticketId)
  const contactIds = await searchContacts(ctx.db, term, FOUND + 1)
  return contactIds.length > FOUND ? { kind: 'scan', term, ticketId } : { kind: 'found', contactIds, ticketId }
}

// A hit would tell what is hidden: restricted users find by ticket, and by what they read of a name.
async function visibleSource(ctx: ReadCtx, search: string, ticketId: number | null): Promise<Source> {
  const term = searchableName(search)
  if (term === null) return { kind: 'found', contactIds: [], ticketId }
  const contactIds = await contactsShownAs(ctx.db, term, FOUND + 1)
  if (contactIds.length > FOUND) return { kind: 'scan', term, ticketId, shownOnly: true }
  return { kind: 'found', contactIds, ticketId }
}

function placeOf(cursor: string): Place {
  const [at, id] = decodeCursor(cursor, 2)
  if (!Number.isSafeInteger(at) || !Number.isSafeInteger(id)) {
    return fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
  }
  return { at: at as number, id: id as number }
}
