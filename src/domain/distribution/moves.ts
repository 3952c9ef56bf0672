import type { TicketLog } from '../tickets/logs.ts'
import { change, NO_FLOW, type TicketChange, type TicketState } from '../tickets/transitions.ts'
import type { Decision } from './distribute.ts'

/** Returns the changes of a decision: overflow from queue to queue, and the assignment, if any. */
export function carryOut(ticket: TicketState, decision: Decision, at: number): TicketChange {
  const { userId, queueId, path, mode, refused } = decision
  const flowed: TicketLog[] = path.map((passed) => ({ type: 'overflow', userId: null, queueId: passed }))
  if (userId === null) return { ...change(ticket, { queueId }, { by: null, at }, []), logs: flowed }
  const startedAttendanceAt = ticket.startedAttendanceAt ?? at
  const attended = { ...NO_FLOW, assistantsUntilAttended: false, startedAttendanceAt }
  const { set } = change(ticket, { status: 'open', userId, queueId, ...attended }, { by: null, at }, [])
  const given: TicketLog = { type: 'distributed', userId, queueId, data: { distribution: { mode, refused } } }
  return { set, logs: [...flowed, given] }
}

/** Returns a ticket to its queue: its agent is away and the customer waits. */
export function giveBack(ticket: TicketState, at: number): TicketChange {
  const { set } = change(ticket, { status: 'pending', userId: null }, { by: null, at }, [])
  return { set, logs: [{ type: 'ownerAway', userId: ticket.userId, queueId: ticket.queueId }] }
}
