import { type Ranked, seesWide } from '../access/profiles.ts'
import { isOneOf, ownMember } from '../keys.ts'
import { decideArrival, LETS_ALL_IN, NO_CONVERSATION } from './arrival.ts'
import type { TicketStatus } from './facts.ts'
import type { TicketLog, TicketLogType } from './logs.ts'

/** Ticket data that moves read and write; times are epoch ms. */
export type TicketState = {
  readonly status: TicketStatus
  readonly userId: number | null
  readonly queueId: number | null
  readonly chatFlowId: number | null
  readonly reasonId: number | null
  readonly startedAttendanceAt: number | null
  readonly closedAt: number | null
  /** Current node of the ticket's chat flow, and the number of failed prompts there. */
  readonly chatFlowNode: string | null
  readonly botRetries: number
  /** Start of the current pause; null if not paused. */
  readonly pausedAt: number | null
  /** Total duration of earlier pauses, in ms. */
  readonly totalPausedMs: number
  /** End of the snooze; null if not snoozed. */
  readonly snoozedUntil: number | null
  readonly connectionId: number
  readonly conversationKey: string
  readonly channel: string
  /**
   * Whether assistants answer in the ticket on a connection that switches them off once an agent attends; writing false
   * switches them off.
   */
  readonly assistantsUntilAttended: boolean
}

/** Tenant settings that moves depend on; `supervisorsLimited` is `supervisorAdmin: enabled` on the wire. */
export type TransitionSettings = {
  readonly notViewAssignedTickets: boolean
  readonly supervisorsLimited: boolean
  readonly forcePendingUser: boolean
  /** Admin who gets every ticket that returns to pending (`forceAdmin`); null if disabled. */
  readonly pendingAdminId: number | null
  readonly forceReason: boolean
  readonly controlFeatures: boolean
  readonly allowPause: boolean
}

/** User who changes tickets. */
type Person = Ranked & { readonly id: number }

/** Author of a move, its time (epoch ms), and the settings. */
export type Command<By extends Person | null = Person> = {
  readonly by: By
  readonly at: number
  readonly settings: TransitionSettings
}

/** Move that may reopen a closed ticket, so that it has to know whether the conversation has another active ticket. */
export type WakingCommand<By extends Person | null = Person> = Command<By> & { readonly hasOtherOpen: boolean }

/** Command of a user or (`by` null) of an automation rule, which has every permission. */
export type AnyCommand = Command<Person | null>

/** Changed fields and log lines in order; both empty if nothing changes. */
export type TicketChange = { readonly set: Partial<TicketState>; readonly logs: readonly TicketLog[] }

/** Error code of a refused move. */
export type TransitionRefusal =
  | 'ERR_NO_ADDRESS'
  | 'ERR_NO_PERMISSION'
  | 'ERR_OTHER_OPEN_TICKET'
  | 'ERR_PAUSE_DISABLED'
  | 'ERR_REASON_REQUIRED'
  | 'ERR_TICKET_IS_GROUP'
  | 'ERR_TICKET_NOT_PAUSED'
  | 'ERR_TICKET_PAUSED'
  | 'ERR_TICKET_TAKEN'
  | 'ERR_TICKET_TRANSITION'

/** Change, or the error code of the refusal (a string). */
export type Outcome = TicketChange | TransitionRefusal

/** Statuses from which each move may start; others are refused. */
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

/** Fields of a ticket without chat flow. */
export const NO_FLOW = { chatFlowId: null, chatFlowNode: null, botRetries: 0 } as const

/**
 * "Atender": assigns the ticket to the actor and ends its chat flow; taking over a colleague's ticket is `force` or
 * `transfer`.
 */
export function accept(ticket: TicketState, command: Command): Outcome {
  const refusal = refuse('accept', ticket, command, command.by.id)
  if (refusal) return refusal
  if (ticket.status === 'open' && ticket.userId !== null && ticket.userId !== command.by.id) return 'ERR_TICKET_TAKEN'
  return change(ticket, { status: 'open', userId: command.by.id, ...attended(ticket, command) }, command, ['open'])
}

/** "Transferir": open if a user is chosen, else pending in the queue. */
export function transfer(
  ticket: TicketState,
  command: WakingCommand<Person | null> & { readonly userId: number | null; readonly queueId: number | null },
): Outcome {
  const { userId, queueId } = command
  const refusal = refuse('transfer', ticket, command, userId) ?? refuseWaking(ticket, command)
  if (refusal) return refusal
  const target = { userId, queueId, closedAt: null }
  return userId === null
    ? change(ticket, { ...target, status: 'pending', ...NO_FLOW }, command, ['transfered'])
    : change(ticket, { ...target, status: 'open', ...attended(ticket, command) }, command, TRANSFERRED_TO_USER)
}

/**
 * "Retornar": returns a ticket to pending; the agent is cleared unless the tenant keeps it or assigns pending tickets to an
 * admin.
 */
export function returnToQueue(ticket: TicketState, command: Command): Outcome {
  const refusal = refuse('returnToQueue', ticket, command, null)
  if (refusal) return refusal
  const { forcePendingUser, pendingAdminId } = command.settings
  const userId = pendingAdminId ?? (forcePendingUser ? ticket.userId : null)
  return change(ticket, { status: 'pending', userId }, command, ['pending'])
}

/** Close reason (omitted: the ticket's own), and whether to skip the rating request. */
type CloseCommand = AnyCommand & { readonly reasonId?: number | null | undefined; readonly isUnrated?: boolean }

/**
 * "Resolver": closes a ticket, with a reason if the tenant requires one. Skipping the rating is refused to users restricted
 * by `controlFeatures`.
 */
export function close(ticket: TicketState, command: CloseCommand): Outcome {
  const { reasonId = ticket.reasonId, isUnrated = false, settings, at } = command
  const refusal = refuse('close', ticket, command, null)
  if (refusal) return refusal
  if (isUnrated && settings.controlFeatures && isBound(command)) return 'ERR_NO_PERMISSION'
  if (settings.forceReason && reasonId === null && command.by !== null) return 'ERR_REASON_REQUIRED'
  const closed = { status: 'closed', ...NO_FLOW, closedAt: at, reasonId } as const
  return change(ticket, closed, command, [isUnrated ? 'force' : 'closed'])
}

/** Closes a ticket by a timer, a close keyword, or the removal of its connection: without author and reason. */
export function autoClose(
  ticket: TicketState,
  at: number,
  log: 'autoClose' | 'connectionRemoved' | 'merged' = 'autoClose',
): Outcome {
  if (!startsFrom('autoClose', ticket)) return 'ERR_TICKET_TRANSITION'
  return change(ticket, { status: 'closed', ...NO_FLOW, closedAt: at }, { by: null, at }, [log])
}

/**
 * "Reabrir": reopens a ticket for the actor (`open`) or the queue (`pending`), unless the conversation has another active
 * ticket.
 */
export function reopen(ticket: TicketState, command: WakingCommand & { readonly to: 'open' | 'pending' }): Outcome {
  const userId = command.to === 'open' ? command.by.id : null
  const refusal = refuse('reopen', ticket, command, userId) ?? refuseWaking(ticket, command)
  if (refusal) return refusal
  const begun = userId === null ? { ...NO_FLOW, startedAttendanceAt: null } : attended(ticket, command)
  const set = { status: command.to, userId, closedAt: null, ...begun }
  return change(ticket, set, command, [command.to])
}

/** Sets status and agent directly, without farewell, rating or reason; `controlFeatures` denies it to plain users. */
export function force(ticket: TicketState, command: ForceCommand): Outcome {
  return forced('force', ticket, command, {})
}

/** Forces a ticket with neither queue nor agent, which only a bot attended; also clears the bot's state. */
export function nullify(ticket: TicketState, command: ForceCommand): Outcome {
  const untouched = ticket.queueId === null && ticket.userId === null
  return untouched ? forced('nullify', ticket, command, NO_FLOW) : 'ERR_TICKET_TRANSITION'
}

type ForceCommand = WakingCommand & { readonly status: TicketStatus; readonly userId: number | null }

function forced(
  move: 'force' | 'nullify',
  ticket: TicketState,
  command: ForceCommand,
  flow: Partial<TicketState>,
): Outcome {
  const { by, at, settings, status } = command
  if (settings.controlFeatures && isBound(command)) return 'ERR_NO_PERMISSION'
  const userId = status === 'open' ? (command.userId ?? by.id) : command.userId
  const refusal = refuse(move, ticket, command, userId)
  if (refusal) return refusal
  if (status === 'closed') {
    return change(ticket, { status, userId, ...NO_FLOW, closedAt: ticket.closedAt ?? at }, command, ['force'])
  }
  const begun = status === 'open' ? attended(ticket, command) : flow
  return (
    refuseWaking(ticket, command) ?? change(ticket, { status, userId, closedAt: null, ...begun }, command, ['force'])
  )
}

const TRANSFERRED_TO_USER = ['transfered', 'receivedTransfer'] as const

function startsFrom(move: keyof typeof MOVES, ticket: TicketState): boolean {
  return isOneOf(MOVES[move], ticket.status)
}

/**
 * Refuses moves from a wrong status; then taking another agent's ticket, which hide-assigned permits to admins and
 * supervisors only.
 */
function refuse(move: keyof typeof MOVES, ticket: TicketState, command: AnyCommand, newOwner: number | null) {
  if (!startsFrom(move, ticket)) return 'ERR_TICKET_TRANSITION'
  const actor = command.by?.id ?? null
  const takes = actor !== null && newOwner === actor && ticket.userId !== null && ticket.userId !== actor
  if (takes && command.settings.notViewAssignedTickets && isBound(command)) return 'ERR_NO_PERMISSION'
  return null
}

/** Refuses a second active ticket of a conversation; a database constraint covers races. */
function refuseWaking(ticket: TicketState, { hasOtherOpen }: Pick<WakingCommand, 'hasOtherOpen'>) {
  if (ticket.status !== 'closed') return null
  const state = { ...NO_CONVERSATION, lastClosed: 'this', live: hasOtherOpen ? 'other' : null }
  const { kind } = decideArrival({ by: 'reopen', isGroup: false, number: null }, state, LETS_ALL_IN)
  return kind === 'reuse' ? null : 'ERR_OTHER_OPEN_TICKET'
}

function isBound({ by, settings }: AnyCommand): boolean {
  return by !== null && !seesWide(by, settings.supervisorsLimited)
}

/**
 * Returns the fields of a ticket that an agent attends: chat flow and assistants end, and the first attendance time is kept
 * (a reopened ticket starts anew).
 */
function attended(ticket: TicketState, command: AnyCommand) {
  const startedAt = ticket.status === 'closed' ? null : ticket.startedAttendanceAt
  return { ...NO_FLOW, assistantsUntilAttended: false, startedAttendanceAt: startedAt ?? command.at }
}

/**
 * Returns the changed fields of a ticket with its log lines. A change of status or owner also ends pause and snooze;
 * `by` is null for automatic changes.
 */
export function change(
  ticket: TicketState,
  wanted: Partial<TicketState>,
  { by, at }: { readonly by: { readonly id: number } | null; readonly at: number },
  types: readonly TicketLogType[],
): TicketChange {
  const asked = differing(ticket, wanted)
  if (Object.keys(asked).length === 0) return { set: {}, logs: [] }
  const isHandedOn = 'status' in asked || 'userId' in asked
  const set = isHandedOn ? differing(ticket, { snoozedUntil: null, ...resumed(ticket, at), ...wanted }) : asked
  const { status, userId, queueId } = { ...ticket, ...set }
  const logs = types.map((type) => ({
    ...{ type, userId: type === 'receivedTransfer' ? userId : (by?.id ?? null), queueId },
    ...(UNSAID.includes(type) ? { data: { to: { status, userId } } } : {}),
  }))
  return { set, logs }
}

/** Log line types that do not imply the resulting state. */
const UNSAID: readonly TicketLogType[] = [
  ...(['force', 'queue', 'userDefine', 'retriesLimitQueue', 'retriesLimitUserDefine'] as const),
]

/** Returns the fields that end a pause and add its duration to the total. */
export const resumed = ({ pausedAt, totalPausedMs }: TicketState, at: number): Partial<TicketState> =>
  pausedAt === null ? {} : { pausedAt: null, totalPausedMs: totalPausedMs + Math.max(0, at - pausedAt) }

const differing = (ticket: TicketState, wanted: Partial<TicketState>): Partial<TicketState> =>
  Object.fromEntries(Object.entries(wanted).filter(([key, value]) => ownMember(ticket, key) !== value))
