import { allOf, anyOf, type Criteria, evaluate, not } from '../criteria.ts'
import { TICKET_STATUSES, type TicketFacts, type TicketStatus } from './facts.ts'

/** Tabs of the ticket list: each status, open or pending, snoozed, attended by a bot only. */
export const LIST_TABS = [...TICKET_STATUSES, 'live', 'snoozed', 'chatbot'] as const

/** Tab of the ticket list. */
export type ListTab = (typeof LIST_TABS)[number]

const LIVE = ['open', 'pending'] as const

/** Returns the statuses of a tab. */
export function statusesOf(tab: ListTab): readonly TicketStatus[] {
  if (tab === 'chatbot') return ['pending']
  return tab === 'live' || tab === 'snoozed' ? LIVE : [tab]
}

const byBot = anyOf<TicketFacts>(not({ field: 'chatFlowId', in: [null] }), { field: 'isAssisted', in: [true] })

/**
 * Returns the criteria of a tab. Snoozed tickets appear in their own tab only; so do tickets of bots (chat flows and
 * assistants) if the tenant shows the chatbot tab.
 */
export function inTab(tab: ListTab, { showChatBot }: { readonly showChatBot: boolean }): Criteria<TicketFacts> {
  const hasStatus: Criteria<TicketFacts> = { field: 'status', in: statusesOf(tab) }
  if (tab === 'closed') return hasStatus
  const attended = tab === 'chatbot' ? byBot : tab !== 'pending' || !showChatBot || not(byBot)
  return allOf<TicketFacts>(hasStatus, { field: 'snoozed', in: [tab === 'snoozed'] }, attended)
}

// The first tab that matches; without the setting, tickets that a bot attends are in Pendentes.
const TABS_OF_ONE = ['snoozed', ...TICKET_STATUSES, 'chatbot'] as const

/** Returns the tab of a ticket. */
export const tabOf = (ticket: TicketFacts, settings: { readonly showChatBot: boolean }): Exclude<ListTab, 'live'> =>
  TABS_OF_ONE.find((tab) => evaluate(inTab(tab, settings), ticket)) ?? ticket.status

/** Filter of the attendance list, with the wire's names; empty lists and nulls do not filter. */
export type AttendanceFilter = {
  /** Tab on screen: always applied, even under show-all and closed-for-all; null: no tab. */
  readonly tab: ListTab | null
  /** Only groups, only private conversations, or (null) both; always applied, like `tab`. */
  readonly isGroup: boolean | null
  /** Only tickets of this queue, or ('none') of no queue; always applied, like `tab`. */
  readonly onlyQueue: number | 'none' | null
  /** Only tickets of this agent, or ('none') without one; always applied, like `tab`. */
  readonly onlyUser: number | 'none' | null
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

/** Completes a filter from the given parts: by default open and pending (or the tab's statuses), otherwise unfiltered. */
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

/**
 * Order of a list: newest or oldest first; before these, tickets whose customer waits for an answer, or those with
 * deadlines, the earliest first.
 */
export type ListOrder = {
  readonly oldestFirst: boolean
  readonly unansweredFirst: boolean
  readonly dueFirst?: boolean
}

/** Sort keys of a ticket: a time (epoch ms), then the id; null: no customer waits, or nothing is due. */
export type Ordered = {
  readonly id: number
  readonly at: number
  readonly waitingSince: number | null
  readonly dueAt?: number | null
}

/** Compares two tickets by list order; negative if `a` comes first. */
export function compareTickets({ oldestFirst, unansweredFirst, dueFirst }: ListOrder, a: Ordered, b: Ordered): number {
  if (dueFirst && (a.dueAt != null || b.dueAt != null))
    return (a.dueAt ?? Number.POSITIVE_INFINITY) - (b.dueAt ?? Number.POSITIVE_INFINITY) || a.id - b.id
  const answered = unansweredFirst && !dueFirst ? Number(a.waitingSince === null) - Number(b.waitingSince === null) : 0
  const newest = b.at - a.at || b.id - a.id
  return answered || (oldestFirst ? -newest : newest)
}

/** Returns the time (epoch ms) at which a customer who has waited so many minutes began to wait. */
export const waitedSince = (minutes: number, now: number): number => now - minutes * 60_000
