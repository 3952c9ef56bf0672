import type { TicketFacts } from './facts.ts'

/** Group of a ticket in a person's counters: own, free in a queue (or in none), or null (with others, or closed). */
export type Bucket = string | null

/** Returns the group of a ticket for a person. A group chat counts only when it is the person's own. */
export function bucketOf(ticket: Pick<TicketFacts, 'status' | 'userId' | 'queueId' | 'isGroup'>, me: number): Bucket {
  if (ticket.status === 'closed') return null
  if (ticket.userId === me) return 'mine'
  return ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup ? `queue ${ticket.queueId}` : null
}
