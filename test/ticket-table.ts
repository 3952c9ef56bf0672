import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { changeChannel, notify, pause, resume, snooze, type Target, toChatFlow } from '#domain/tickets/commands.ts'
import { TICKET_STATUSES, type TicketStatus } from '#domain/tickets/facts.ts'
import {
  accept,
  type Command,
  close,
  force,
  nullify,
  type Outcome,
  reopen,
  returnToQueue,
  type TicketState,
  transfer,
} from '#domain/tickets/transitions.ts'

/** A ticket as commands read it. */
export type Subject = TicketState & { readonly isGroup: boolean }

/** The people and rows that a table speaks of. */
export type Cast = {
  readonly me: number
  readonly colleague: number
  readonly queue: number
  readonly otherQueue: number
  readonly flow: { readonly id: number; readonly firstNode: string | null }
  readonly target: Target
  /** Current connection and conversation of the ticket. */
  readonly connection: { readonly connectionId: number; readonly conversationKey: string; readonly channel: string }
  /** Epoch ms. */
  readonly now: number
}

/** Situations of a ticket besides its status. */
export const SITUATIONS = ['plain', 'paused', 'snoozed', 'group', 'in flow'] as const

const possible: Readonly<Record<(typeof SITUATIONS)[number], readonly TicketStatus[]>> = {
  plain: TICKET_STATUSES,
  paused: ['open'],
  snoozed: ['open', 'pending'],
  group: TICKET_STATUSES,
  'in flow': ['pending'],
}

/** Every status with every situation in which a ticket of it can be. */
export const STATES = SITUATIONS.flatMap((situation) => possible[situation].map((status) => ({ status, situation })))

/** Returns the ticket of a colleague, or one without owner if it waits. */
export function subjectOf({ status, situation }: (typeof STATES)[number], cast: Cast): Subject {
  const hour = 3_600_000
  return {
    status,
    isGroup: situation === 'group',
    userId: status === 'pending' ? null : cast.colleague,
    queueId: situation === 'in flow' ? null : cast.queue,
    chatFlowId: situation === 'in flow' ? cast.flow.id : null,
    chatFlowNode: situation === 'in flow' ? 'pergunta' : null,
    botRetries: situation === 'in flow' ? 1 : 0,
    reasonId: null,
    startedAttendanceAt: status === 'pending' ? null : cast.now - 2 * hour,
    closedAt: status === 'closed' ? cast.now - hour : null,
    pausedAt: situation === 'paused' ? cast.now - hour : null,
    totalPausedMs: 0,
    assistantsUntilAttended: false,
    snoozedUntil: situation === 'snoozed' ? cast.now + hour : null,
    ...cast.connection,
  }
}

/**
 * Returns the input of a command by a person of this profile, in a company that hides assigned tickets, controls what users
 * force, and can pause tickets.
 */
export const commandBy = (profile: Profile, { me, now }: Pick<Cast, 'me' | 'now'>): Command => ({
  by: { id: me, profile },
  at: now,
  settings: {
    notViewAssignedTickets: true,
    supervisorsLimited: false,
    forcePendingUser: false,
    pendingAdminId: null,
    forceReason: false,
    controlFeatures: true,
    allowPause: true,
  },
})

type Decide = (ticket: Subject, command: Command, cast: Cast) => Outcome
const free = { hasOtherOpen: false }

type Row = {
  readonly call: string
  readonly decide: Decide
  /** Statuses in which the same call is another command. */
  readonly means?: Partial<Record<TicketStatus, string>>
}

/** Commands of tickets: readable name, call, and decision. */
export const COMMAND_TABLE: Readonly<Record<string, Row>> = {
  Atender: {
    call: 'PUT /tickets/{id} { status: open }',
    decide: (ticket, command) => accept(ticket, command),
    means: { closed: 'Reabrir' },
  },
  'Transferir para pessoa': {
    call: 'PUT /tickets/{id} { isTransference, userId, queueId }',
    decide: (ticket, command, { colleague, otherQueue }) =>
      transfer(ticket, { ...command, ...free, userId: colleague, queueId: otherQueue }),
  },
  'Transferir para fila': {
    call: 'PUT /tickets/{id} { isTransference, queueId }',
    decide: (ticket, command, { otherQueue }) =>
      transfer(ticket, { ...command, ...free, userId: null, queueId: otherQueue }),
  },
  Devolver: {
    call: 'PUT /tickets/{id} { status: pending }',
    decide: (ticket, command) => returnToQueue(ticket, command),
    means: { closed: 'Reabrir para todos' },
  },
  Resolver: { call: 'PUT /tickets/{id} { status: closed }', decide: (ticket, command) => close(ticket, command) },
  Reabrir: {
    call: 'PUT /tickets/{id} { status: open }',
    decide: (ticket, command) => reopen(ticket, { ...command, ...free, to: 'open' }),
    means: { open: 'Atender', pending: 'Atender' },
  },
  'Forçar fechamento': {
    call: 'PUT /ticketsForce/{id} { status: closed }',
    decide: (ticket, command) => force(ticket, { ...command, ...free, status: 'closed', userId: ticket.userId }),
  },
  'Forçar sem fila nem responsável': {
    call: 'PUT /ticketsNull/{id} { status: closed }',
    decide: (ticket, command) => nullify(ticket, { ...command, ...free, status: 'closed', userId: ticket.userId }),
  },
  Pausar: { call: 'POST /ticketsPause/{id}/pause', decide: (ticket, command) => pause(ticket, command, 'almoço') },
  Retomar: { call: 'POST /ticketsPause/{id}/pause/end', decide: (ticket, command) => resume(ticket, command) },
  Adiar: {
    call: 'PUT /tickets/{id} { snoozedUntil }',
    decide: (ticket, command, { now }) => snooze(ticket, { ...command, until: now + 86_400_000 }),
  },
  'Trazer de volta': {
    call: 'PUT /tickets/{id} { snoozedUntil: null }',
    decide: (ticket, command) => snooze(ticket, { ...command, until: null }),
  },
  'Passar para o chatbot': {
    call: 'PUT /ticketsChatBot/{id} { chatFlowId }',
    decide: (ticket, command, { flow }) => toChatFlow(ticket, { ...command, flow }),
  },
  'Mudar de canal': {
    call: 'PUT /ticketsChannelId/{id} { whatsappId }',
    decide: (ticket, command, { target }) => changeChannel(ticket, { ...command, target }),
  },
  'Avisar quem atende': { call: 'POST /ticketsNotification/{id}', decide: (ticket) => notify(ticket) },
}

/** The four roles. */
export const ROLES = PROFILES
