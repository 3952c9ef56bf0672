import { isOneOf } from '../keys.ts'
import type { TicketStatus } from './facts.ts'
import {
  type AnyCommand,
  type Command,
  change,
  NO_FLOW,
  type Outcome,
  resumed,
  type TicketState,
} from './transitions.ts'

/** Statuses from which each command may start. */
export const COMMANDS = {
  pause: ['open'],
  resume: ['open'],
  snooze: ['pending', 'open'],
  toChatFlow: ['pending', 'open'],
  changeChannel: ['pending', 'open'],
  notify: ['pending', 'open'],
} as const satisfies Record<string, readonly TicketStatus[]>

const startsFrom = (command: keyof typeof COMMANDS, { status }: Pick<TicketState, 'status'>): boolean =>
  isOneOf(COMMANDS[command], status)

/** "Pausar": pauses a ticket, which stops bot, auto-close and deadlines; messages still arrive. */
export function pause(ticket: TicketState, command: Command, reason = ''): Outcome {
  if (!startsFrom('pause', ticket)) return 'ERR_TICKET_TRANSITION'
  if (ticket.pausedAt !== null) return 'ERR_TICKET_PAUSED'
  if (!command.settings.allowPause) return 'ERR_PAUSE_DISABLED'
  const { set, logs } = change(ticket, { pausedAt: command.at }, command, ['pause'])
  return { set, logs: reason === '' ? logs : logs.map((log) => ({ ...log, data: { reason } })) }
}

/** "Retomar": resumes a ticket, even if pausing has been disabled since. */
export function resume(ticket: TicketState, command: Command): Outcome {
  if (!startsFrom('resume', ticket) || ticket.pausedAt === null) return 'ERR_TICKET_NOT_PAUSED'
  return change(ticket, resumed(ticket, command.at), command, ['resume'])
}

/**
 * "Adiar": hides a ticket from the tabs until a time (epoch ms, already validated by `isSnoozeTime`), or (null) shows it
 * again.
 */
export function snooze(
  ticket: TicketState,
  { until, ...command }: AnyCommand & { readonly until: number | null },
): Outcome {
  if (!startsFrom('snooze', ticket)) return 'ERR_TICKET_TRANSITION'
  const { set, logs } = change(ticket, { snoozedUntil: until }, command, [until === null ? 'wake' : 'snooze'])
  if (until === null) return { set, logs }
  return { set, logs: logs.map((log) => ({ ...log, data: { until: new Date(until).toISOString() } })) }
}

/** Ends an expired snooze as a change without author; null if not snoozed or not due yet. */
export function wake(ticket: TicketState, at: number): Exclude<Outcome, string> | null {
  if (ticket.snoozedUntil === null || ticket.snoozedUntil > at) return null
  return change(ticket, { snoozedUntil: null }, { by: null, at }, ['wake'])
}

/** "Chatbot": hands a ticket to a chat flow from its first node, pending without agent or queue; refused for groups. */
export function toChatFlow(
  ticket: TicketState & { readonly isGroup: boolean },
  { flow, ...command }: AnyCommand & { readonly flow: { readonly id: number; readonly firstNode: string | null } },
): Outcome {
  if (!startsFrom('toChatFlow', ticket)) return 'ERR_TICKET_TRANSITION'
  if (ticket.isGroup) return 'ERR_TICKET_IS_GROUP'
  const begun = { ...NO_FLOW, chatFlowId: flow.id, chatFlowNode: flow.firstNode }
  const released = { status: 'pending', userId: null, queueId: null, snoozedUntil: null } as const
  return change(ticket, { ...released, ...begun }, command, ['chatBot'])
}

/** Contact's conversation on another connection; `isTaken`: it has another active ticket. */
export type Target = {
  readonly connectionId: number
  readonly conversationKey: string
  readonly channel: string
  readonly isTaken: boolean
}

/** "Canal": moves a ticket to another connection; agent, queue and history remain. Null: the contact has no address there. */
export function changeChannel(
  ticket: TicketState,
  { target, ...command }: Command & { readonly target: Target | null },
): Outcome {
  if (!startsFrom('changeChannel', ticket)) return 'ERR_TICKET_TRANSITION'
  if (target === null) return 'ERR_NO_ADDRESS'
  if (target.connectionId === ticket.connectionId) return { set: {}, logs: [] }
  if (target.isTaken) return 'ERR_OTHER_OPEN_TICKET'
  const { isTaken: _, ...to } = target
  return change(ticket, { ...to, ...NO_FLOW }, command, ['channel'])
}

/** Whether the ticket can be announced to its people again; changes nothing. */
export const notify = (ticket: TicketState): Outcome =>
  startsFrom('notify', ticket) ? { set: {}, logs: [] } : 'ERR_TICKET_TRANSITION'
