import { type Ranked, seesWide } from '../access/profiles.ts'
import { decideArrival, LETS_ALL_IN, NO_CONVERSATION } from './arrival.ts'
import type { TicketStatus } from './facts.ts'
import type { TicketLog, TicketLogType } from './logs.ts'

/** What moves of a ticket read and write; times are epoch milliseconds. */
export type TicketState = {
  readonly status: TicketStatus
  readonly userId: number | null
  readonly queueId: number | null
  readonly chatFlowId: number | null
  readonly reasonId: number | null
  readonly startedAttendanceAt: number | null
  readonly closedAt: number | null
}

/** The tenant's settings that moves depend on; `supervisorsLimited` is `supervisorAdmin: enabled` on the wire. */
export type TransitionSettings = {
  readonly notViewAssignedTickets: boolean
  readonly supervisorsLimited: boolean
  readonly forcePendingUser: boolean
  /** The admin who gets whatever returns to pending (`forceAdmin`); null where that is off. */
  readonly pendingAdminId: number | null
  readonly forceReason: boolean
  readonly controlFeatures: boolean
}

/** Who moves the ticket, when (epoch ms), and under which settings. */
export type Command = {
  readonly by: Ranked & { readonly id: number }
  readonly at: number
  readonly settings: TransitionSettings
}

/** A move that may wake a closed ticket, so it has to know whether the conversation already has an active one. */
export type WakingCommand = Command & { readonly hasOtherOpen: boolean }

/** What to write: only the fields that differ, and the log lines in order; both empty when nothing changes. */
export type TicketChange = { readonly set: Partial<TicketState>; readonly logs: readonly TicketLog[] }

/** Why a move is refused: a code of the error catalogue. */
export type TransitionRefusal =
  | 'ERR_NO_PERMISSION'
  | 'ERR_OTHER_OPEN_TICKET'
  | 'ERR_REASON_REQUIRED'
  | 'ERR_TICKET_TRANSITION'

/** The change, or the code of the refusal (a string). */
export type Outcome = TicketChange | TransitionRefusal

/** From which statuses each move may start; every other move is forbidden. */
export const MOVES = {
  accept: ['pending', 'open'],
  transfer: ['pending', 'open', 'closed'],
  returnToQueue: ['open'],
  close: ['pending', 'open'],
  autoClose: ['pending', 'open'],
  reopen: ['closed'],
  force: ['pending', 'open', 'closed'],
  nullify: ['pending', 'open', 'closed'],
} as const satisfies Record<string, readonly TicketStatus[]>

/** "Atender": the ticket becomes the actor's own and its chat flow ends. */
export function accept(ticket: TicketState, command: Command): Outcome {
  const refusal = refuse('accept', ticket, command, command.by.id)
  if (refusal) return refusal
  return change(ticket, { status: 'open', userId: command.by.id, ...attended(ticket, command) }, command.by.id, [
    'open',
  ])
}

/** "Transferir": open when a user is chosen, else pending in the queue. */
export function transfer(
  ticket: TicketState,
  command: WakingCommand & { readonly userId: number | null; readonly queueId: number | null },
): Outcome {
  const { by, userId, queueId } = command
  const refusal = refuse('transfer', ticket, command, userId) ?? refuseWaking(ticket, command)
  if (refusal) return refusal
  const target = { userId, queueId, closedAt: null }
  return userId === null
    ? change(ticket, { ...target, status: 'pending', chatFlowId: null }, by.id, ['transfered'])
    : change(ticket, { ...target, status: 'open', ...attended(ticket, command) }, by.id, TRANSFERRED_TO_USER)
}

/** "Retornar": back to pending; the user is cleared unless the tenant keeps it or hands what is pending to an admin. */
export function returnToQueue(ticket: TicketState, command: Command): Outcome {
  const refusal = refuse('returnToQueue', ticket, command, null)
  if (refusal) return refusal
  const { forcePendingUser, pendingAdminId } = command.settings
  const userId = pendingAdminId ?? (forcePendingUser ? ticket.userId : null)
  return change(ticket, { status: 'pending', userId }, command.by.id, ['pending'])
}

/** "Resolver": closed, once a reason is set where the tenant asks for one. */
export function close(ticket: TicketState, command: Command): Outcome {
  const refusal = refuse('close', ticket, command, null)
  if (refusal) return refusal
  if (command.settings.forceReason && ticket.reasonId === null) return 'ERR_REASON_REQUIRED'
  return change(ticket, { status: 'closed', chatFlowId: null, closedAt: command.at }, command.by.id, ['closed'])
}

/** Closed by a timer, by the customer's closing word, or with its connection: nobody acts and no reason is asked. */
export function autoClose(
  ticket: TicketState,
  at: number,
  log: 'autoClose' | 'connectionRemoved' = 'autoClose',
): Outcome {
  if (!startsFrom('autoClose', ticket)) return 'ERR_TICKET_TRANSITION'
  return change(ticket, { status: 'closed', chatFlowId: null, closedAt: at }, null, [log])
}

/** "Reabrir": as one's own (`open`) or for whoever is free (`pending`), while the conversation has no other active ticket. */
export function reopen(ticket: TicketState, command: WakingCommand & { readonly to: 'open' | 'pending' }): Outcome {
  const userId = command.to === 'open' ? command.by.id : null
  const refusal = refuse('reopen', ticket, command, userId) ?? refuseWaking(ticket, command)
  if (refusal) return refusal
  const startedAttendanceAt = userId === null ? null : command.at
  const set = { status: command.to, userId, closedAt: null, chatFlowId: null, startedAttendanceAt }
  return change(ticket, set, command.by.id, [command.to])
}

/** A status and owner set outright, without farewell, rating or reason; `controlFeatures` takes it from plain users. */
export function force(ticket: TicketState, command: ForceCommand): Outcome {
  return forced('force', ticket, command, ticket.chatFlowId)
}

/** `force` for a ticket with neither queue nor user, which only a bot knew: the bot's place is cleared as well. */
export function nullify(ticket: TicketState, command: ForceCommand): Outcome {
  const untouched = ticket.queueId === null && ticket.userId === null
  return untouched ? forced('nullify', ticket, command, null) : 'ERR_TICKET_TRANSITION'
}

type ForceCommand = WakingCommand & { readonly status: TicketStatus; readonly userId: number | null }

function forced(
  move: 'force' | 'nullify',
  ticket: TicketState,
  command: ForceCommand,
  chatFlowId: number | null,
): Outcome {
  const { by, at, settings, status } = command
  if (settings.controlFeatures && isBound(command)) return 'ERR_NO_PERMISSION'
  const userId = status === 'open' ? (command.userId ?? by.id) : command.userId
  const refusal = refuse(move, ticket, command, userId)
  if (refusal) return refusal
  if (status === 'closed') {
    return change(ticket, { status, userId, chatFlowId: null, closedAt: ticket.closedAt ?? at }, by.id, ['force'])
  }
  const begun = status === 'open' ? attended(ticket, command) : { chatFlowId }
  return refuseWaking(ticket, command) ?? change(ticket, { status, userId, closedAt: null, ...begun }, by.id, ['force'])
}

const TRANSFERRED_TO_USER = ['transfered', 'receivedTransfer'] as const

function startsFrom(move: keyof typeof MOVES, ticket: TicketState): boolean {
  return (MOVES[move] as readonly TicketStatus[]).includes(ticket.status)
}

/** Forbidden moves first; then taking another's ticket, which hide-assigned leaves to admins and supervisors. */
function refuse(move: keyof typeof MOVES, ticket: TicketState, command: Command, newOwner: number | null) {
  if (!startsFrom(move, ticket)) return 'ERR_TICKET_TRANSITION'
  const takes = newOwner === command.by.id && ticket.userId !== null && ticket.userId !== command.by.id
  if (takes && command.settings.notViewAssignedTickets && isBound(command)) return 'ERR_NO_PERMISSION'
  return null
}

/** One active ticket per conversation; the database holds the same rule against races. */
function refuseWaking(ticket: TicketState, { hasOtherOpen }: WakingCommand) {
  if (ticket.status !== 'closed') return null
  const state = { ...NO_CONVERSATION, lastClosed: 'this', live: hasOtherOpen ? 'other' : null }
  const { kind } = decideArrival({ by: 'reopen', isGroup: false, number: null }, state, LETS_ALL_IN)
  return kind === 'reuse' ? null : 'ERR_OTHER_OPEN_TICKET'
}

function isBound({ by, settings }: Command): boolean {
  return !seesWide(by, settings.supervisorsLimited)
}

/** A person attends: the chat flow ends, and the first such moment is kept (a woken ticket starts anew). */
function attended(ticket: TicketState, command: Command) {
  const startedAt = ticket.status === 'closed' ? null : ticket.startedAttendanceAt
  return { chatFlowId: null, startedAttendanceAt: startedAt ?? command.at }
}

function change(
  ticket: TicketState,
  wanted: Partial<TicketState>,
  by: number | null,
  types: readonly TicketLogType[],
): TicketChange {
  const differing = Object.entries(wanted).filter(([key, value]) => ticket[key as keyof TicketState] !== value)
  if (differing.length === 0) return { set: {}, logs: [] }
  const { userId, queueId } = { ...ticket, ...wanted }
  const logs = types.map((type) => ({ type, userId: type === 'receivedTransfer' ? userId : by, queueId }))
  return { set: Object.fromEntries(differing), logs }
}
