import type { TicketStatus } from '#domain/tickets/facts.ts'
import {
  accept,
  close,
  type Outcome,
  reopen,
  returnToQueue,
  type TicketState,
  transfer,
  type WakingCommand,
} from '#domain/tickets/transitions.ts'

/** What `PUT /tickets/{id}` says about a ticket's place; what is left out stays. */
export type AskedMove = {
  readonly status?: TicketStatus | undefined
  readonly userId?: number | null | undefined
  readonly queueId?: number | null | undefined
  readonly isTransference?: boolean | undefined
  /** Why it is closed, where it is; null: for no reason that is said. */
  readonly reasons?: number | null | undefined
}

/** Whether the request moves the ticket at all. */
export const isMove = (asked: AskedMove): boolean =>
  asked.isTransference === true ||
  asked.status !== undefined ||
  asked.userId !== undefined ||
  asked.queueId !== undefined

/**
 * Reads the wire's one address for every move (specification §7) as the move that was meant: a transference, another
 * person or another queue transfers; otherwise the status says it, and one's own id accepts.
 */
export function move(ticket: TicketState, asked: AskedMove, command: WakingCommand): Outcome {
  if (asked.status === 'closed') return close(ticket, { ...command, reasonId: asked.reasons })
  const { userId = null, queueId = ticket.queueId } = asked
  const toOther = userId !== null && userId !== command.by.id
  if (asked.isTransference || toOther || queueId !== ticket.queueId) {
    return transfer(ticket, { ...command, userId, queueId })
  }
  const to = asked.status ?? (userId === null ? 'pending' : 'open')
  if (ticket.status === 'closed') return reopen(ticket, { ...command, to })
  return to === 'open' ? accept(ticket, command) : returnToQueue(ticket, command)
}
