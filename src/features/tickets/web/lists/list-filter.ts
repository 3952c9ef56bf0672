import type { TicketStatus } from '#domain/tickets/facts.ts'
import { type AttendanceFilter, attendanceFilter, LIST_TABS, type ListTab, statusesOf } from '#domain/tickets/filter.ts'

/** Whose tickets the chips ask for. */
export type Scope = 'mine' | 'unassigned' | 'waiting'

/** What the attendance list asks for: tab and kind, chips, search, and the filter panel. */
export type ListFilter = {
  tab: ListTab
  /** Null: conversations and groups. */
  isGroup: boolean | null
  scope: Scope | null
  search: string
  showAll: boolean
  queuesIds: readonly number[]
  whatsappIds: readonly number[]
  tags: readonly number[]
  kanban: readonly number[]
  selectedUser: number | null
  withUnreadMessages: boolean
  /** What a figure of the panel is narrowed to. */
  onlyQueue: number | 'none' | null
  onlyUser: number | 'none' | null
  closedToday: boolean
  oldestFirst: boolean
  /** Those whose customer waits for an answer before all others. */
  unansweredFirst: boolean
  /** Those that are due before all others. */
  dueFirst: boolean
  /** Only those of which a clock is at risk, or over. */
  sla: 'warned' | 'missed' | null
  /** Only whose customer has waited so many minutes or longer. */
  waitingMinutes: number | null
  /** Only whose last message is of these days (AAAA-MM-DD), each open where it is null. */
  from: string | null
  to: string | null
  /** The notes that mention the person instead of tickets. */
  mentions: boolean
}

/** The filter of somebody who has chosen nothing. */
export const plainFilter: ListFilter = {
  tab: 'open',
  isGroup: false,
  scope: null,
  search: '',
  showAll: false,
  queuesIds: [],
  whatsappIds: [],
  tags: [],
  kanban: [],
  selectedUser: null,
  withUnreadMessages: false,
  onlyQueue: null,
  onlyUser: null,
  closedToday: false,
  oldestFirst: false,
  unansweredFirst: false,
  dueFirst: false,
  sla: null,
  waitingMinutes: null,
  from: null,
  to: null,
  mentions: false,
}

/** The parts of a filter that no tab shows: the list of a figure. */
export const noFigure = { onlyQueue: null, onlyUser: null, closedToday: false } as const

/** Whether the filter is the list of a figure of the panel, which stands in no tab. */
export const isFigure = ({ tab, isGroup, onlyQueue, onlyUser, closedToday }: ListFilter): boolean =>
  tab === 'live' || isGroup === null || onlyQueue !== null || onlyUser !== null || closedToday

type Loose = Readonly<Record<string, unknown>>

const numbers = (value: unknown): number[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(Number).filter((one) => one > 0)
const isTrue = (value: unknown) => value === true || value === 'true'
const idOf = (value: unknown) => (Number(value) > 0 ? Number(value) : null)
const dayOf = (value: unknown) => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : null)
const tabs: readonly unknown[] = LIST_TABS

/** The filter in an address or in what was saved; what is missing or damaged is plain. */
export function readFilter(from: Loose): ListFilter {
  const { tab, scope, search, sla } = from
  return {
    tab: tabs.includes(tab) ? (tab as ListTab) : 'open',
    isGroup: from['isGroup'] === null ? null : isTrue(from['isGroup']),
    scope: scope === 'mine' || scope === 'unassigned' || scope === 'waiting' ? scope : null,
    search: typeof search === 'string' || typeof search === 'number' ? String(search) : '',
    showAll: isTrue(from['showAll']),
    queuesIds: numbers(from['queuesIds']),
    whatsappIds: numbers(from['whatsappIds']),
    tags: numbers(from['tags']),
    kanban: numbers(from['kanban']),
    selectedUser: idOf(from['selectedUser']),
    withUnreadMessages: isTrue(from['withUnreadMessages']),
    onlyQueue: from['onlyQueue'] === 'none' ? 'none' : idOf(from['onlyQueue']),
    onlyUser: from['onlyUser'] === 'none' ? 'none' : idOf(from['onlyUser']),
    closedToday: isTrue(from['closedToday']),
    oldestFirst: isTrue(from['oldestFirst']),
    unansweredFirst: isTrue(from['unansweredFirst']),
    dueFirst: isTrue(from['dueFirst']),
    sla: sla === 'warned' || sla === 'missed' ? sla : null,
    waitingMinutes: idOf(from['waitingMinutes']),
    from: dayOf(from['from']),
    to: dayOf(from['to']),
    mentions: isTrue(from['mentions']),
  }
}

/** The parts that differ from the plain filter, for the address and for saving. */
export function writeFilter(filter: ListFilter): Partial<ListFilter> {
  return Object.fromEntries(
    Object.entries(filter).filter(([key, value]) => {
      const plain = plainFilter[key as keyof ListFilter]
      return Array.isArray(value) ? value.length > 0 : value !== plain
    }),
  )
}

const hasFilter = (from: Loose): boolean => Object.keys(plainFilter).some((key) => from[key] !== undefined)

/** The ticket that an address of the attendance screen opens, or null. */
export function ticketAt(path: string): number | null {
  const [, id] = /^\/atendimento\/(\d+)\/?$/.exec(path) ?? []
  return id === undefined ? null : Number(id)
}

/** An address's query as the router reads it: values are JSON where they can be. */
export const searchOf = (search: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(search)].map(([key, value]) => [key, jsonOr(value)]))

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The filter of the list: what the address says, else what was saved. */
export const readAddress = (asked: Loose, saved: Loose | null): ListFilter =>
  readFilter(hasFilter(asked) ? asked : (saved ?? {}))

/** How many choices of the filter panel are on. */
export function countChoices(filter: ListFilter): number {
  const waits = [filter.waitingMinutes, filter.sla, filter.from ?? filter.to].filter((one) => one !== null).length
  if (filter.showAll) return 1 + waits
  const lists = [filter.queuesIds, filter.whatsappIds, filter.tags, filter.kanban].filter((one) => one.length > 0)
  return lists.length + Number(filter.selectedUser !== null) + Number(filter.withUnreadMessages) + waits
}

/** Whether a ticket stands in the filter's tab, whatever else the filter asks; a search goes through all of them. */
export const standsIn = (
  row: { status: TicketStatus; isGroup: boolean; snoozedUntil: number | null },
  { tab, isGroup, search }: ListFilter,
): boolean =>
  search !== '' ||
  (statusesOf(tab).includes(row.status) &&
    (row.snoozedUntil !== null) === (tab === 'snoozed') &&
    (isGroup === null || row.isGroup === isGroup))

const everyStatus: TicketStatus[] = ['open', 'pending', 'closed']

/** What a search asks for: a protocol is the day and the ticket's number, and the number is what can be found. */
export const wanted = (search: string): string =>
  /^20\d{2}[01]\d[0-3]\d(\d+)$/.exec(search.trim())?.[1] ?? search.trim()

/** What a filter says of these names; what is off or empty is left out. */
const given = <K extends keyof ListFilter>(filter: ListFilter, ...names: K[]) =>
  Object.fromEntries(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : []))) as {
    [P in K]?: NonNullable<ListFilter[P]>
  }

/** The query of `GET /tickets` for this filter; a search goes through all tabs, show-all leaves the panel's choices out. */
export function queryOf(filter: ListFilter) {
  const { tab, isGroup, scope, search, showAll, queuesIds, whatsappIds, tags, kanban } = filter
  return {
    ...(search
      ? { searchParam: wanted(search), status: everyStatus }
      : { tab, ...(isGroup !== null && { isGroup }), ...given(filter, 'onlyQueue', 'onlyUser', 'closedToday') }),
    ...((scope === 'mine' || scope === 'waiting') && { scope }),
    ...(scope === 'unassigned' && { isNotAssignedUser: true }),
    ...(showAll
      ? { showAll }
      : {
          queuesIds: [...queuesIds],
          whatsappIds: [...whatsappIds],
          tags: [...tags],
          kanban: [...kanban],
          ...given(filter, 'selectedUser', 'withUnreadMessages'),
        }),
    ...given(filter, 'oldestFirst', 'unansweredFirst', 'dueFirst', 'sla', 'waitingMinutes', 'from', 'to'),
  }
}

/** The query of the list's first page, which brings the counters too. */
export const firstPageQueryOf = (filter: ListFilter) => ({ ...queryOf(filter), count: true })

/** The same as the visibility rules read it, to judge a live row without asking the server. */
export function criteriaOf(filter: ListFilter): AttendanceFilter {
  const { tab, isGroup, onlyQueue, onlyUser } = filter
  const base = { tab, isGroup, onlyQueue, onlyUser, isNotAssignedUser: filter.scope === 'unassigned' }
  if (filter.showAll) return attendanceFilter({ ...base, showAll: true })
  const { queuesIds, whatsappIds, tags, kanban, selectedUser, withUnreadMessages } = filter
  return attendanceFilter({ ...base, queuesIds, whatsappIds, tags, kanban, selectedUser, withUnreadMessages })
}
