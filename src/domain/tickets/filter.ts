import type { TicketStatus } from './facts.ts'

/** A tab of the list: one status, or what is open or pending. */
export type ListTab = TicketStatus | 'live'

/** The statuses of a tab. */
export const statusesOf = (tab: ListTab): readonly TicketStatus[] => (tab === 'live' ? ['open', 'pending'] : [tab])

/** What a viewer asks the attendance list for, under the wire's names; empty lists and nulls ask for nothing special. */
export type AttendanceFilter = {
  /** The tab on screen: narrows strictly, even under show-all and closed-for-all; null is no tab. */
  readonly tab: ListTab | null
  /** Only groups, only private conversations, or (null) both; strict like `tab`. */
  readonly isGroup: boolean | null
  /** Only tickets of this queue, or ('none') of no queue; strict like `tab`. */
  readonly onlyQueue: number | 'none' | null
  /** Only tickets of this owner; strict like `tab`. */
  readonly onlyUser: number | null
  readonly status: readonly TicketStatus[]
  readonly showAll: boolean
  readonly queuesIds: readonly number[]
  readonly whatsappIds: readonly number[]
  readonly selectedUser: number | null
  readonly tags: readonly number[]
  readonly kanban: readonly number[]
  readonly withUnreadMessages: boolean
  readonly isNotAssignedUser: boolean
  readonly includeNotQueueDefined: boolean
}

/** A whole filter from the given parts: open and pending (or the tab's status), everything else unfiltered. */
export function attendanceFilter(parts: Partial<AttendanceFilter> = {}): AttendanceFilter {
  return {
    tab: null,
    isGroup: null,
    onlyQueue: null,
    onlyUser: null,
    status: statusesOf(parts.tab ?? 'live'),
    showAll: false,
    queuesIds: [],
    whatsappIds: [],
    selectedUser: null,
    tags: [],
    kanban: [],
    withUnreadMessages: false,
    isNotAssignedUser: false,
    includeNotQueueDefined: true,
    ...parts,
  }
}
