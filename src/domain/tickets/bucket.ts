import type { TicketFacts } from './facts.ts'

/** Where a ticket stands for a person: theirs, free in a queue (or in none), or with others or closed (null). */
export type Bucket = string | null

/** Where a ticket stands for a person. A group counts only when it is the person's own. */
export function bucketOf(ticket: Pick<TicketFacts, 'status' | 'userId' | 'queueId' | 'isGroup'>, me: number): Bucket {
  if (ticket.status === 'closed') return null
  if (ticket.userId === me) return 'mine'
  return ticket.status === 'pending' && ticket.userId === null && !ticket.isGroup ? `queue ${ticket.queueId}` : null
}
