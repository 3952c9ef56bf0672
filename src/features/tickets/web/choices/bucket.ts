import type { TicketDelta } from '#features/ledger/ticket-rows.ts'

/** The address of a ticket's conversation, at a moment of it (epoch ms) when one is given. */
export const pathOf = (ticketId: number, timestamp: number | null = null): string =>
  `/atendimento/${ticketId}${timestamp === null ? '' : `?timestamp=${timestamp}`}`

/** The part of the list in which a ticket stands: groups are apart. */
export type Tab = 'groups' | TicketDelta['status']

/** The part of the list in which a ticket stands. */
export const tabOf = ({ isGroup, status }: Pick<TicketDelta, 'isGroup' | 'status'>): Tab =>
  isGroup ? 'groups' : status
