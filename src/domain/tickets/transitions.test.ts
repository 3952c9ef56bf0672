import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TicketStatus } from './facts.ts'
import {
  accept,
  autoClose,
  type Command,
  close,
  force,
  MOVES,
  nullify,
  type Outcome,
  reopen,
  returnToQueue,
  type TicketState,
  type TransitionSettings,
  transfer,
} from './transitions.ts'

const ANA = { id: 1, profile: 'user' } as const
const SUPER = { id: 2, profile: 'super' } as const
const ADMIN = { id: 3, profile: 'admin' } as const
const NOW = 1_770_000_000_000

const SETTINGS: TransitionSettings = {
  notViewAssignedTickets: false,
  supervisorsLimited: false,
  forcePendingUser: false,
  pendingAdminId: null,
  forceReason: false,
  controlFeatures: false,
  allowPause: true,
}
const HIDE_ASSIGNED = { notViewAssignedTickets: true }

/** State of a ticket after a log line whose kind does not imply it. */
const behind = (status: TicketStatus, userId: number | null) => ({ data: { to: { status, userId } } })

const PENDING: TicketState = {
  status: 'pending',
  userId: null,
  queueId: 10,
  chatFlowId: 5,
  reasonId: null,
  startedAttendanceAt: null,
  closedAt: null,
  chatFlowNode: null,
  botRetries: 0,
  pausedAt: null,
  totalPausedMs: 0,
  assistantsUntilAttended: false,
  snoozedUntil: null,
  connectionId: 20,
  conversationKey: '5511900000000',
  channel: 'lab',
}
const OPEN: TicketState = { ...PENDING, status: 'open', userId: 9, chatFlowId: null, startedAttendanceAt: 100 }
const MINE: TicketState = { ...OPEN, userId: ANA.id }
const CLOSED: TicketState = { ...OPEN, status: 'closed', closedAt: 200 }
const TICKETS: Record<TicketStatus, TicketState> = { pending: PENDING, open: OPEN, closed: CLOSED }

function as(by: Command['by'], settings: Partial<TransitionSettings> = {}): Command {
  return { by, at: NOW, settings: { ...SETTINGS, ...settings } }
}
const free = { hasOtherOpen: false }
const busy = { hasOtherOpen: true }
const FORBIDDEN = 'ERR_TICKET_TRANSITION'

test('assistants that answer until a person attends end with every way in which one does, and with no other', () => {
  const answered = (ticket: TicketState) => ({ ...ticket, assistantsUntilAttended: true })
  const giving = { ...as(ADMIN), ...free, queueId: 11 }
  const ends = (outcome: Outcome) => typeof outcome !== 'string' && outcome.set.assistantsUntilAttended === false
  expect([
    ends(accept(answered(PENDING), as(ANA))),
    ends(transfer(answered(PENDING), { ...giving, userId: 7 })),
    ends(reopen(answered(CLOSED), { ...as(ADMIN), ...free, to: 'open' })),
    ends(force(answered(PENDING), { ...as(ADMIN), ...free, status: 'open', userId: null })),
  ]).toEqual([true, true, true, true])
  expect([
    ends(transfer(answered(OPEN), { ...giving, userId: null })),
    ends(returnToQueue(answered(OPEN), as(ADMIN))),
    ends(reopen(answered(CLOSED), { ...as(ADMIN), ...free, to: 'pending' })),
    ends(accept(PENDING, as(ANA))),
  ]).toEqual([false, false, false, false])
})

describe('the table of moves', () => {
  const run: Record<keyof typeof MOVES, (ticket: TicketState) => Outcome> = {
    accept: (ticket) => accept(ticket, as(ADMIN)),
    transfer: (ticket) => transfer(ticket, { ...as(ADMIN), ...free, queueId: 11, userId: 7 }),
    returnToQueue: (ticket) => returnToQueue(ticket, as(ADMIN)),
    close: (ticket) => close(ticket, as(ADMIN)),
    autoClose: (ticket) => autoClose(ticket, NOW),
    reopen: (ticket) => reopen(ticket, { ...as(ADMIN), ...free, to: 'open' }),
    force: (ticket) => force(ticket, { ...as(ADMIN), ...free, status: 'closed', userId: null }),
    nullify: (ticket) =>
      nullify({ ...ticket, queueId: null, userId: null }, { ...as(ADMIN), ...free, status: 'closed', userId: null }),
  }
  const cases = (Object.keys(MOVES) as (keyof typeof MOVES)[]).flatMap((move) =>
    (['pending', 'open', 'closed'] as const).map((from) => [move, from] as const),
  )
  test.each(cases)('%s from %s', (move, from) => {
    const allowed = (MOVES[move] as readonly TicketStatus[]).includes(from)
    expect(run[move](TICKETS[from]) === FORBIDDEN).toBe(!allowed)
  })
})

describe('what each move writes', () => {
  test.each<[string, Outcome, Outcome]>([
    [
      'accept: own, chat flow ended, attendance begun',
      accept(PENDING, as(ANA)),
      {
        set: { status: 'open', userId: 1, chatFlowId: null, startedAttendanceAt: NOW },
        logs: [{ type: 'open', userId: 1, queueId: 10 }],
      },
    ],
    ['accept twice changes nothing', accept(MINE, as(ANA)), { set: {}, logs: [] }],
    [
      'accept after a return keeps the first moment',
      accept({ ...PENDING, startedAttendanceAt: 100 }, as(ANA)),
      { set: { status: 'open', userId: 1, chatFlowId: null }, logs: [{ type: 'open', userId: 1, queueId: 10 }] },
    ],
    [
      'accept: what a colleague is given and has not taken',
      accept({ ...PENDING, userId: 9, startedAttendanceAt: 1 }, as(ANA)),
      { set: { status: 'open', userId: 1, chatFlowId: null }, logs: [{ type: 'open', userId: 1, queueId: 10 }] },
    ],
    ['accept: what a colleague attends', accept(OPEN, as(ANA)), 'ERR_TICKET_TAKEN'],
    ['accept: another’s under hide-assigned', accept(OPEN, as(ANA, HIDE_ASSIGNED)), 'ERR_NO_PERMISSION'],
    [
      'accept: another’s pending under hide-assigned',
      accept({ ...PENDING, userId: 9 }, as(ANA, HIDE_ASSIGNED)),
      'ERR_NO_PERMISSION',
    ],
    [
      'accept: nobody’s under hide-assigned',
      accept({ ...PENDING, chatFlowId: null, startedAttendanceAt: 1 }, as(ANA, HIDE_ASSIGNED)),
      { set: { status: 'open', userId: 1 }, logs: [{ type: 'open', userId: 1, queueId: 10 }] },
    ],
    [
      'accept: supervisor takes what waits',
      accept({ ...PENDING, userId: 9, startedAttendanceAt: 1 }, as(SUPER, HIDE_ASSIGNED)),
      { set: { status: 'open', userId: 2, chatFlowId: null }, logs: [{ type: 'open', userId: 2, queueId: 10 }] },
    ],
    [
      'accept: limited supervisor may not',
      accept(OPEN, as(SUPER, { ...HIDE_ASSIGNED, supervisorsLimited: true })),
      'ERR_NO_PERMISSION',
    ],
    [
      'transfer to a user opens, both are logged',
      transfer(PENDING, { ...as(ANA), ...free, queueId: 11, userId: 7 }),
      {
        set: { status: 'open', userId: 7, queueId: 11, chatFlowId: null, startedAttendanceAt: NOW },
        logs: [
          { type: 'transfered', userId: 1, queueId: 11 },
          { type: 'receivedTransfer', userId: 7, queueId: 11 },
        ],
      },
    ],
    [
      'transfer to a queue waits',
      transfer(OPEN, { ...as(ANA), ...free, queueId: 11, userId: null }),
      { set: { status: 'pending', userId: null, queueId: 11 }, logs: [{ type: 'transfered', userId: 1, queueId: 11 }] },
    ],
    ['transfer to where it is', transfer(OPEN, { ...as(ANA), ...free, queueId: 10, userId: 9 }), { set: {}, logs: [] }],
    [
      'transfer to oneself is taking',
      transfer(OPEN, { ...as(ANA, HIDE_ASSIGNED), ...free, queueId: 10, userId: 1 }),
      'ERR_NO_PERMISSION',
    ],
    [
      'transfer of a closed one, conversation taken',
      transfer(CLOSED, { ...as(ANA), ...busy, queueId: 10, userId: 7 }),
      'ERR_OTHER_OPEN_TICKET',
    ],
    [
      'transfer of a closed one begins anew',
      transfer(CLOSED, { ...as(ANA), ...free, queueId: 10, userId: 9 }),
      {
        set: { status: 'open', closedAt: null, startedAttendanceAt: NOW },
        logs: [
          { type: 'transfered', userId: 1, queueId: 10 },
          { type: 'receivedTransfer', userId: 9, queueId: 10 },
        ],
      },
    ],
    [
      'return clears the user',
      returnToQueue(OPEN, as(ANA)),
      { set: { status: 'pending', userId: null }, logs: [{ type: 'pending', userId: 1, queueId: 10 }] },
    ],
    [
      'return keeps the user',
      returnToQueue(OPEN, as(ANA, { forcePendingUser: true })),
      { set: { status: 'pending' }, logs: [{ type: 'pending', userId: 1, queueId: 10 }] },
    ],
    [
      'return goes to the admin',
      returnToQueue(OPEN, as(ANA, { forcePendingUser: true, pendingAdminId: 3 })),
      { set: { status: 'pending', userId: 3 }, logs: [{ type: 'pending', userId: 1, queueId: 10 }] },
    ],
    [
      'close',
      close(OPEN, as(ANA)),
      { set: { status: 'closed', closedAt: NOW }, logs: [{ type: 'closed', userId: 1, queueId: 10 }] },
    ],
    ['close without the reason asked for', close(OPEN, as(ANA, { forceReason: true })), 'ERR_REASON_REQUIRED'],
    [
      'close with it',
      close({ ...OPEN, reasonId: 4 }, as(ANA, { forceReason: true })),
      { set: { status: 'closed', closedAt: NOW }, logs: [{ type: 'closed', userId: 1, queueId: 10 }] },
    ],
    [
      'close with one that is given',
      close(OPEN, { ...as(ANA, { forceReason: true }), reasonId: 4 }),
      { set: { status: 'closed', closedAt: NOW, reasonId: 4 }, logs: [{ type: 'closed', userId: 1, queueId: 10 }] },
    ],
    [
      'close takes no reason away',
      close({ ...OPEN, reasonId: 4 }, { ...as(ANA, { forceReason: true }), reasonId: null }),
      'ERR_REASON_REQUIRED',
    ],
    [
      'close without a rating',
      close(OPEN, { ...as(ANA), isUnrated: true }),
      {
        set: { status: 'closed', closedAt: NOW },
        logs: [{ type: 'force', userId: 1, queueId: 10, ...behind('closed', 9) }],
      },
    ],
    [
      'which features control',
      close(OPEN, { ...as(ANA, { controlFeatures: true }), isUnrated: true }),
      'ERR_NO_PERMISSION',
    ],
    [
      'a reason all the same',
      close(OPEN, { ...as(ANA, { forceReason: true }), isUnrated: true }),
      'ERR_REASON_REQUIRED',
    ],
    [
      'auto close asks for no reason',
      autoClose(PENDING, NOW),
      {
        set: { status: 'closed', chatFlowId: null, closedAt: NOW },
        logs: [{ type: 'autoClose', userId: null, queueId: 10 }],
      },
    ],
    [
      'reopen as one’s own',
      reopen(CLOSED, { ...as(ANA), ...free, to: 'open' }),
      {
        set: { status: 'open', userId: 1, closedAt: null, startedAttendanceAt: NOW },
        logs: [{ type: 'open', userId: 1, queueId: 10 }],
      },
    ],
    [
      'reopen for all',
      reopen(CLOSED, { ...as(ANA, HIDE_ASSIGNED), ...free, to: 'pending' }),
      {
        set: { status: 'pending', userId: null, closedAt: null, startedAttendanceAt: null },
        logs: [{ type: 'pending', userId: 1, queueId: 10 }],
      },
    ],
    ['reopen, conversation taken', reopen(CLOSED, { ...as(ADMIN), ...busy, to: 'open' }), 'ERR_OTHER_OPEN_TICKET'],
    [
      'reopen another’s under hide-assigned',
      reopen(CLOSED, { ...as(ANA, HIDE_ASSIGNED), ...free, to: 'open' }),
      'ERR_NO_PERMISSION',
    ],
    [
      'force closes without a reason',
      force(OPEN, { ...as(ANA, { forceReason: true }), ...free, status: 'closed', userId: 9 }),
      {
        set: { status: 'closed', closedAt: NOW },
        logs: [{ type: 'force', userId: 1, queueId: 10, ...behind('closed', 9) }],
      },
    ],
    [
      'force is taken from users by controlFeatures',
      force(OPEN, { ...as(ANA, { controlFeatures: true }), ...free, status: 'closed', userId: 9 }),
      'ERR_NO_PERMISSION',
    ],
    [
      'force opens as the actor’s',
      force(PENDING, { ...as(ANA), ...free, status: 'open', userId: null }),
      {
        set: { status: 'open', userId: 1, chatFlowId: null, startedAttendanceAt: NOW },
        logs: [{ type: 'force', userId: 1, queueId: 10, ...behind('open', 1) }],
      },
    ],
    [
      'force to pending leaves the bot',
      force(PENDING, { ...as(ANA), ...free, status: 'pending', userId: null }),
      { set: {}, logs: [] },
    ],
    [
      'force wakes, conversation taken',
      force(CLOSED, { ...as(ADMIN), ...busy, status: 'pending', userId: null }),
      'ERR_OTHER_OPEN_TICKET',
    ],
    [
      'force taking another’s',
      force(OPEN, { ...as(ANA, HIDE_ASSIGNED), ...free, status: 'open', userId: 1 }),
      'ERR_NO_PERMISSION',
    ],
    [
      'nullify only what nobody has',
      nullify(PENDING, { ...as(ADMIN), ...free, status: 'closed', userId: null }),
      FORBIDDEN,
    ],
    [
      'nullify clears the bot',
      nullify({ ...PENDING, queueId: null }, { ...as(ADMIN), ...free, status: 'pending', userId: 3 }),
      {
        set: { userId: 3, chatFlowId: null },
        logs: [{ type: 'force', userId: 3, queueId: null, ...behind('pending', 3) }],
      },
    ],
  ])('%s', (_name, outcome, expected) => {
    expect(outcome).toEqual(expected)
  })
})

const who = fc.constantFrom(ANA, SUPER, ADMIN)
const settings: fc.Arbitrary<TransitionSettings> = fc.record({
  notViewAssignedTickets: fc.boolean(),
  supervisorsLimited: fc.boolean(),
  forcePendingUser: fc.boolean(),
  pendingAdminId: fc.constantFrom(null, 3),
  forceReason: fc.boolean(),
  controlFeatures: fc.boolean(),
  allowPause: fc.constant(true),
})
const step = fc.record({
  move: fc.constantFrom(...(Object.keys(MOVES) as (keyof typeof MOVES)[])),
  by: who,
  settings,
  hasOtherOpen: fc.boolean(),
  userId: fc.constantFrom(null, 1, 2, 3),
  queueId: fc.constantFrom(null, 10, 11),
  status: fc.constantFrom<TicketStatus>('open', 'pending', 'closed'),
})

test('any walk keeps the invariants: closed has its time, open has its owner and no bot, refusals name a known code', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(PENDING, { ...PENDING, queueId: null }),
      fc.array(step, { maxLength: 20 }),
      (start, steps) => {
        let ticket = start
        let at = 1
        for (const { move, status, ...given } of steps) {
          const command = { ...given, at: at++ }
          const outcome = {
            accept: () => accept(ticket, command),
            transfer: () => transfer(ticket, command),
            returnToQueue: () => returnToQueue(ticket, command),
            close: () => close(ticket, command),
            autoClose: () => autoClose(ticket, command.at),
            reopen: () => reopen(ticket, { ...command, to: status === 'open' ? 'open' : 'pending' }),
            force: () => force(ticket, { ...command, status }),
            nullify: () => nullify(ticket, { ...command, status }),
          }[move]()
          if (typeof outcome === 'string') continue
          expect(outcome.logs.length > 0).toBe(Object.keys(outcome.set).length > 0)
          const woken = ticket.status === 'closed' && outcome.set.status !== undefined
          expect(woken && given.hasOtherOpen).toBe(false)
          ticket = { ...ticket, ...outcome.set }
          expect(ticket.closedAt !== null).toBe(ticket.status === 'closed')
          if (ticket.status === 'open') expect(ticket.userId).not.toBeNull()
          if (ticket.status !== 'pending') expect(ticket.chatFlowId).toBeNull()
          if (ticket.status === 'open') expect(ticket.startedAttendanceAt).not.toBeNull()
        }
      },
    ),
    { numRuns: 2000 },
  )
})
