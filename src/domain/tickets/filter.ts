import type { TicketStatus } from './facts.ts'

/** What a viewer asks the attendance list for, under the wire's names; empty lists and nulls ask for nothing special. */
export type AttendanceFilter = {
  /** The tab on screen: narrows strictly, even under show-all and closed-for-all; null is no tab. */
  readonly tab: TicketStatus | null
  /** Only groups, only private conversations, or (null) both; strict like `tab`. */
  readonly isGroup: boolean | null
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
    status: parts.tab ? [parts.tab] : ['open', 'pending'],
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
