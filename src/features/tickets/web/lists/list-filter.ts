import type { TicketStatus } from '#domain/tickets/facts.ts'
import { type AttendanceFilter, attendanceFilter, LIST_TABS, type ListTab, statusesOf } from '#domain/tickets/filter.ts'

/** Scope chips of the list. */
export type Scope = 'mine' | 'unassigned' | 'waiting'

/** Filter of the attendance list: tab and kind, chips, search, and the filter panel. */
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
  /** Narrowing of a dashboard figure's list. */
  onlyQueue: number | 'none' | null
  onlyUser: number | 'none' | null
  closedToday: boolean
  oldestFirst: boolean
  /** Lists tickets whose customer waits for a reply first. */
  unansweredFirst: boolean
  /** Lists due tickets first. */
  dueFirst: boolean
  /** Only tickets with an SLA clock at risk, or missed. */
  sla: 'warned' | 'missed' | null
  /** Only tickets whose customer has waited at least this long. */
  waitingMinutes: number | null
  /** Only tickets whose last message lies within these days (YYYY-MM-DD); null leaves that end open. */
  from: string | null
  to: string | null
  /** Shows the notes that mention the person instead of tickets. */
  mentions: boolean
}

/** Default filter. */
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

/** Filter fields of a figure's list, reset to their defaults. */
export const noFigure = { onlyQueue: null, onlyUser: null, closedToday: false } as const

/** Checks whether the filter is a figure's list, which belongs to no tab. */
export const isFigure = ({ tab, isGroup, onlyQueue, onlyUser, closedToday }: ListFilter): boolean =>
  tab === 'live' || isGroup === null || onlyQueue !== null || onlyUser !== null || closedToday

type Loose = Readonly<Record<string, unknown>>

const numbers = (value: unknown): number[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(Number).filter((one) => one > 0)
const isTrue = (value: unknown) => value === true || value === 'true'
const idOf = (value: unknown) => (Number(value) > 0 ? Number(value) : null)
const dayOf = (value: unknown) => (/^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : null)
const tabs: readonly unknown[] = LIST_TABS

/** Parses a filter from a URL or from storage; missing or invalid fields get their defaults. */
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

/** Returns the fields that differ from the default filter, for the URL and for storage. */
export function writeFilter(filter: ListFilter): Partial<ListFilter> {
  return Object.fromEntries(
    Object.entries(filter).filter(([key, value]) => {
      const plain = plainFilter[key as keyof ListFilter]
      return Array.isArray(value) ? value.length > 0 : value !== plain
    }),
  )
}

const hasFilter = (from: Loose): boolean => Object.keys(plainFilter).some((key) => from[key] !== undefined)

/** Returns the ticket id in a path of the attendance screen, or null. */
export function ticketAt(path: string): number | null {
  const [, id] = /^\/atendimento\/(\d+)\/?$/.exec(path) ?? []
  return id === undefined ? null : Number(id)
}

/** Parses a query string as the router does: values are JSON where possible. */
export const searchOf = (search: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(search)].map(([key, value]) => [key, jsonOr(value)]))

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the filter of the URL, else the saved one. */
export const readAddress = (asked: Loose, saved: Loose | null): ListFilter =>
  readFilter(hasFilter(asked) ? asked : (saved ?? {}))

/** Counts the active choices of the filter panel. */
export function countChoices(filter: ListFilter): number {
  const waits = [filter.waitingMinutes, filter.sla, filter.from ?? filter.to].filter((one) => one !== null).length
  if (filter.showAll) return 1 + waits
  const lists = [filter.queuesIds, filter.whatsappIds, filter.tags, filter.kanban].filter((one) => one.length > 0)
  return lists.length + Number(filter.selectedUser !== null) + Number(filter.withUnreadMessages) + waits
}

/** Checks whether a ticket belongs to the filter's tab, ignoring its other conditions; a search covers all tabs. */
export const standsIn = (
  row: { status: TicketStatus; isGroup: boolean; snoozedUntil: number | null },
  { tab, isGroup, search }: ListFilter,
): boolean =>
  search !== '' ||
  (statusesOf(tab).includes(row.status) &&
    (row.snoozedUntil !== null) === (tab === 'snoozed') &&
    (isGroup === null || row.isGroup === isGroup))

const everyStatus: TicketStatus[] = ['open', 'pending', 'closed']

/** Returns the search term; of a protocol (day and ticket number) only the number is searched. */
export const wanted = (search: string): string =>
  /^20\d{2}[01]\d[0-3]\d(\d+)$/.exec(search.trim())?.[1] ?? search.trim()

/** Picks these fields of a filter, without empty ones. */
const given = <K extends keyof ListFilter>(filter: ListFilter, ...names: K[]) =>
  Object.fromEntries(names.flatMap((name) => (filter[name] ? [[name, filter[name]]] : []))) as {
    [P in K]?: NonNullable<ListFilter[P]>
  }

/** Builds the query of `GET /tickets`; a search covers all tabs, show-all omits the panel's choices. */
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

/** Builds the query of the first page, which includes the counters. */
export const firstPageQueryOf = (filter: ListFilter) => ({ ...queryOf(filter), count: true })

/** Converts a filter to visibility criteria, to judge a live row without asking the server. */
export function criteriaOf(filter: ListFilter): AttendanceFilter {
  const { tab, isGroup, onlyQueue, onlyUser } = filter
  const base = { tab, isGroup, onlyQueue, onlyUser, isNotAssignedUser: filter.scope === 'unassigned' }
  if (filter.showAll) return attendanceFilter({ ...base, showAll: true })
  const { queuesIds, whatsappIds, tags, kanban, selectedUser, withUnreadMessages } = filter
  return attendanceFilter({ ...base, queuesIds, whatsappIds, tags, kanban, selectedUser, withUnreadMessages })
}
