import type { TicketDelta } from '../../tickets-contract.ts'

/** Where a ticket stands for a person: theirs, free in a queue (or in none), or with others or closed (null). */
export type Bucket = string | null

/** The address of a ticket's conversation, at a moment of it (epoch ms) when one is given. */
export const pathOf = (ticketId: number, timestamp: number | null = null): string =>
  `/atendimento/${ticketId}${timestamp === null ? '' : `?timestamp=${timestamp}`}`

/** Where a ticket stands for a person. A group counts only when it is the person's own. */
export function bucketOf(ticket: TicketDelta, me: number): Bucket {
  if (ticket.status === 'closed') return null
  if (ticket.userId === me) return 'mine'
  return ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup ? `queue ${ticket.queueId}` : null
}

/** The part of the list in which a ticket stands: groups are apart. */
export type Tab = 'groups' | TicketDelta['status']

/** The part of the list in which a ticket stands. */
export const tabOf = ({ isGroup, status }: Pick<TicketDelta, 'isGroup' | 'status'>): Tab =>
  isGroup ? 'groups' : status
