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

/** Fields of `PUT /tickets/{id}` that move a ticket; absent ones stay unchanged. */
export type AskedMove = {
  readonly status?: TicketStatus | undefined
  readonly userId?: number | null | undefined
  readonly queueId?: number | null | undefined
  readonly isTransference?: boolean | undefined
  /** Reason for closing; null for none. */
  readonly reasons?: number | null | undefined
}

/** Checks whether the request moves the ticket. */
export const isMove = (asked: AskedMove): boolean =>
  asked.isTransference === true ||
  asked.status !== undefined ||
  asked.userId !== undefined ||
  asked.queueId !== undefined

/**
 * Converts the request of `PUT /tickets/{id}`, the one route of all moves (specification §7), into a move: a transfer for
 * `isTransference`, another owner or queue; otherwise by status, where one's own id accepts.
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
