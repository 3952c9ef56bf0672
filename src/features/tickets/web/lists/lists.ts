import { useQuery } from '@tanstack/react-query'
import { compareTickets } from '#domain/tickets/filter.ts'
import { tickets } from '#features/ledger/addresses.ts'
import { mark, putRows, ticketRow, touchedSince } from '#features/messages/web/ticket/store.ts'
import { call, queryClient } from '#web/client.ts'
import { isSettingOn, may, ranked } from '#web/session/permissions.ts'
import { stored, viewer } from '#web/session/session.ts'
import { createSoon } from '#web/soon.ts'
import { belongs, type Onlooker } from './belongs.ts'
import { insertSorted, type ListData, type Order, remove, withFirstPage, withNext } from './list-data.ts'
import { firstPageQueryOf, type ListFilter, queryOf, readFilter } from './list-filter.ts'

/** Counters of the tabs. */
export type Counts = Record<'open' | 'pending' | 'groups' | 'waiting' | 'snoozed' | 'chatbot', number>

const family = 'attendance'
const listKey = (filter: ListFilter) => [family, 'list', filter] as const
const countsKey = [family, 'counts'] as const

let focused: number | null = null

/** Sets the ticket being read, so that its row stays in the list. */
export function setFocused(id: number | null): void {
  const before = focused
  focused = id
  for (const one of [before, id]) if (one !== null && one !== undefined) reconcile(one)
}

/** Returns this person with the company's settings as the browser knows them. */
export function onlooker(): Onlooker {
  const { userId } = viewer()
  const queues = stored<{ id: number }[]>('queues') ?? []
  return {
    viewer: { ...ranked(), id: userId, queueIds: queues.map(({ id }) => id) },
    settings: {
      showGroupsForAll: isSettingOn('showGroupsForAll'),
      showClosedForAll: isSettingOn('showClosedForAll'),
      supervisorsLimited: isSettingOn('supervisorAdmin'),
      nullTickets: isSettingOn('nullTickets'),
      notViewTicketsChatBot: isSettingOn('NotViewTicketsChatBot'),
      directTicketsToWallets: isSettingOn('DirectTicketsToWallets'),
      notViewAssignedTickets: isSettingOn('NotViewAssignedTickets'),
      // Only users bound to queues need it, and the server has judged that for every row it sends.
      tenantHasQueues: false,
      showChatBot: isSettingOn('showChatBot'),
    },
  }
}

/** Checks whether this person may see all tickets (show-all, filters by person). */
export const mayShowAll = (): boolean => may('tickets:all')

/** Returns the comparator of a filter: by last change or, by setting or period, by last message. */
function orderOf(filter: ListFilter): Order {
  const order = { ...filter, dueFirst: filter.dueFirst || filter.sla !== null }
  const byMessage = (filter.from ?? filter.to) !== null || isSettingOn('listByLastMessage')
  const ordered = (id: number) => {
    const row = ticketRow(id)
    const at = byMessage ? row?.lastMessageAt : row && Date.parse(row.updatedAt)
    return { id, at: at ?? 0, waitingSince: row?.waitingSince ?? null, dueAt: row?.sla?.dueAt ?? null }
  }
  return (a, b) => compareTickets(order, ordered(a), ordered(b))
}

async function read(filter: ListFilter, cursor: string | null, signal?: AbortSignal): Promise<ListData> {
  const since = mark()
  const query = cursor ? { ...queryOf(filter), cursor } : firstPageQueryOf(filter)
  const answer = await call(tickets.list, { query }, { quiet: true, ...(signal ? { signal } : {}) })
  putRows(answer.tickets, since)
  if (answer.counts && !filter.search) queryClient.setQueryData(countsKey, answer.counts)
  const page = { ids: answer.tickets.map(({ id }) => id), cursor: answer.nextCursor }
  return touchedSince(since).reduce<ListData>((list, id) => reconciled(list, filter, id), page)
}

const firstPage = async (filter: ListFilter, signal?: AbortSignal): Promise<ListData> => {
  const fresh = await read(filter, null, signal)
  const before = queryClient.getQueryData<ListData>(listKey(filter))
  return withFirstPage(before, fresh, orderOf(filter), (id) => stands(filter, id))
}

const list = (filter: ListFilter) => ({
  queryKey: listKey(filter),
  queryFn: ({ signal }: { signal: AbortSignal }) => firstPage(filter, signal),
  staleTime: 60_000,
  gcTime: 10 * 60_000,
  // No event reports the passing of a waiting time.
  refetchInterval: filter.waitingMinutes ? 60_000 : (false as const),
})

/** Returns the tickets of a filter and re-renders on change. */
export const useList = (filter: ListFilter) => useQuery(list(filter))

/** Prefetches the tickets of a filter. */
export const prefetchList = (filter: ListFilter): Promise<void> => queryClient.prefetchQuery(list(filter))

/** Returns the tab counters as last read. */
export const useCounts = (): Counts | undefined =>
  useQuery<Counts>({ queryKey: countsKey, queryFn: () => Promise.reject(new Error('filled by lists')), enabled: false })
    .data

const underway = new Set<string>()

/** Loads the next page of a list; concurrent calls share one request. */
export async function loadNext(filter: ListFilter): Promise<void> {
  const key = listKey(filter)
  const list = queryClient.getQueryData<ListData>(key)
  const name = JSON.stringify(key)
  if (!list?.cursor || underway.has(name)) return
  underway.add(name)
  try {
    const next = await read(filter, list.cursor)
    const now = queryClient.getQueryData<ListData>(key)
    if (now?.cursor === list.cursor) queryClient.setQueryData(key, withNext(now, next))
  } finally {
    underway.delete(name)
  }
}

function stands(filter: ListFilter, id: number): boolean {
  const row = ticketRow(id)
  return row !== undefined && belongs(row, filter, onlooker(), focused)
}

function reconciled(list: ListData, filter: ListFilter, id: number): ListData {
  if (!ticketRow(id)) return remove(list, id)
  // A search freezes the list (product facts 3.3); its rows still update.
  if (filter.search) return list
  return stands(filter, id) ? insertSorted(list, id, orderOf(filter)) : remove(list, id)
}

/** Moves a changed ticket to its place in every loaded list, or removes it. */
export function reconcile(id: number): void {
  for (const [key, list] of queryClient.getQueriesData<ListData>({ queryKey: [family, 'list'] })) {
    if (!list) continue
    const next = reconciled(list, readFilter(key[2] as ListFilter), id)
    if (next !== list) queryClient.setQueryData(key, next)
  }
}

/** Refetches the first page and counters of the visible list, debounced, after an event that lacks the details. */
export const refreshSoon = createSoon(
  () => void queryClient.refetchQueries({ queryKey: [family, 'list'], type: 'active' }),
  700,
  3000,
)

/** Refetches visible lists and drops the others. */
export function resyncLists(): void {
  queryClient.removeQueries({ queryKey: [family], type: 'inactive' })
  void queryClient.refetchQueries({ queryKey: [family], type: 'active' })
}
