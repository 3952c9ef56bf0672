import type { TicketDelta } from '#features/ledger/ticket-rows.ts'

/** Returns the path of a ticket's conversation, optionally at a moment (epoch ms). */
export const pathOf = (ticketId: number, timestamp: number | null = null): string =>
  `/atendimento/${ticketId}${timestamp === null ? '' : `?timestamp=${timestamp}`}`

/** Tab of the list that holds a ticket; groups have their own. */
export type Tab = 'groups' | TicketDelta['status']

/** Returns the tab of a ticket. */
export const tabOf = ({ isGroup, status }: Pick<TicketDelta, 'isGroup' | 'status'>): Tab =>
  isGroup ? 'groups' : status
