import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TicketState } from '../tickets/transitions.ts'
import { type Action, type Given, namedIn, performAll, tagsOf } from './actions.ts'

const NOW = 1_770_000_000_000
const [ME, ANA, SALES, MONEY, VIP, LATE, NEW, WON, WHY, GONE] = [1, 2, 10, 11, 20, 21, 30, 31, 40, 99]

const ticket: TicketState = {
  ...{
    status: 'open',
    userId: ME,
    queueId: SALES,
    chatFlowId: null,
    reasonId: null,
    startedAttendanceAt: NOW,
    closedAt: null,
  },
  ...{ chatFlowNode: null, botRetries: 0, pausedAt: null, totalPausedMs: 0, snoozedUntil: null },
  ...{ connectionId: 5, conversationKey: 'x', channel: 'lab', assistantsUntilAttended: false },
}
const given = (change: Partial<TicketState> = {}, more: Partial<Given> = {}): Given => ({
  ticket: { ...ticket, ...change },
  tagIds: [VIP],
  stageId: NEW,
  command: {
    by: { id: ME, profile: 'user', isSupport: false } as Given['command']['by'],
    at: NOW,
    hasOtherOpen: false,
    settings: {
      ...{ notViewAssignedTickets: false, supervisorsLimited: false, forcePendingUser: false, pendingAdminId: null },
      ...{ forceReason: false, controlFeatures: false, allowPause: true },
    },
  },
  there: {
    tag: [VIP, LATE],
    queue: [SALES, MONEY],
    user: [ME, ANA],
    stage: [NEW, WON],
    pipelineStage: [1],
    reason: [WHY],
  },
  maxTextLength: 20,
  render: ({ body }) => body.replace('{{firstName}}', 'Marlene'),
  ...more,
})
const waiting = { status: 'pending', userId: null } as const
const closed = { status: 'closed', closedAt: NOW - 1 } as const
const text: Action = { kind: 'text', body: 'Oi, {{firstName}}' }
const refusals = (actions: readonly Action[], from: Given) =>
  performAll(actions, from).steps.map(({ refusal }) => refusal)

describe('each action', () => {
  test.each<[string, Action, Partial<TicketState>, Partial<TicketState>]>([
    [
      'a queue: waits in it',
      { kind: 'queue', queueId: MONEY },
      {},
      { status: 'pending', userId: null, queueId: MONEY },
    ],
    ['a person: theirs, in its queue', { kind: 'person', userId: ANA }, waiting, { status: 'open', userId: ANA }],
    ['nobody named: who does it', { kind: 'person', userId: null }, waiting, { status: 'open', userId: ME }],
    ['closing', { kind: 'close' }, {}, { status: 'closed', closedAt: NOW }],
    ['putting off', { kind: 'snooze', minutes: 90 }, {}, { snoozedUntil: NOW + 5_400_000 }],
    [
      'taking up again by a transfer',
      { kind: 'person', userId: ANA },
      closed,
      { status: 'open', userId: ANA, closedAt: null },
    ],
  ])('%s', (_, action, from, expected) => {
    const { steps, set } = performAll([action], given(from))
    expect(steps).toEqual([{ refusal: null, isSame: false, body: null }])
    expect(set).toMatchObject(expected)
  })

  test.each<[string, Action, Given, string]>([
    ['a tag that is gone', { kind: 'tag', tagIds: [VIP, GONE] }, given(), 'ERR_NO_TAG_FOUND'],
    ['taking such a tag', { kind: 'untag', tagIds: [GONE] }, given(), 'ERR_NO_TAG_FOUND'],
    ['a queue that is gone', { kind: 'queue', queueId: GONE }, given(), 'ERR_NO_QUEUE_FOUND'],
    ['a person who left', { kind: 'person', userId: GONE }, given(), 'ERR_NO_USER_FOUND'],
    ['a stage that is gone', { kind: 'stage', stageId: GONE }, given(), 'ERR_NO_KANBAN_FOUND'],
    ['a stage of what is closed', { kind: 'stage', stageId: WON }, given(closed), 'ERR_TICKET_TRANSITION'],
    ['a text where nobody attends', text, given(waiting), 'ERR_MESSAGE_TICKET_PENDING'],
    ['a text in what is closed', text, given(closed), 'ERR_MESSAGE_TICKET_CLOSED'],
    ['a text that the channel does not carry', { kind: 'text', body: 'x'.repeat(21) }, given(), 'ERR_MESSAGE_TOO_LONG'],
    ['a text of which nothing is left', text, given({}, { render: () => ' ' }), 'ERR_MESSAGE_EMPTY'],
    ['closing for a reason that is gone', { kind: 'close', reasonId: GONE }, given(), 'ERR_NO_REASON_FOUND'],
    ['closing what is closed', { kind: 'close' }, given(closed), 'ERR_TICKET_TRANSITION'],
    ['putting off what is closed', { kind: 'snooze', minutes: 1 }, given(closed), 'ERR_TICKET_TRANSITION'],
    [
      'taking up again beside another',
      { kind: 'queue', queueId: MONEY },
      given(closed, { command: { ...given().command, hasOtherOpen: true } }),
      'ERR_OTHER_OPEN_TICKET',
    ],
  ])('refuses %s', (_, action, from, code) => {
    expect(refusals([action], from)).toEqual([code])
  })

  test.each<[string, Action, Partial<Given>, number | 'ERR_REASON_REQUIRED']>([
    ['its own reason', { kind: 'close', reasonId: WHY }, { reasonId: WON }, WHY],
    ['the one of the list', { kind: 'close' }, { reasonId: WON }, WON],
    ['no reason', { kind: 'close' }, {}, 'ERR_REASON_REQUIRED'],
  ])('where a reason is asked for, closing takes %s', (_, action, more, expected) => {
    const { command } = given()
    const asked = { command: { ...command, settings: { ...command.settings, forceReason: true } }, ...more }
    const { steps, set } = performAll([action], given({}, asked))
    expect(steps[0]!.refusal ?? set.reasonId).toBe(expected)
  })

  test('what is so already is said to be', () => {
    const { steps, set } = performAll(
      [
        { kind: 'tag', tagIds: [VIP] },
        { kind: 'untag', tagIds: [LATE] },
        { kind: 'person', userId: ME },
      ],
      given(),
    )
    expect(steps.every(({ isSame, refusal }) => isSame && refusal === null)).toBe(true)
    expect(set).toEqual({})
  })
})

test('each step begins where the one before it ended', () => {
  const take: Action = { kind: 'person', userId: null }
  expect(refusals([text, take], given(waiting))).toEqual(['ERR_MESSAGE_TICKET_PENDING', null])
  const performed = performAll([take, text, { kind: 'note', body: 'Pronto' }, { kind: 'close' }], given(waiting))
  expect(performed.steps.map(({ refusal, body }) => refusal ?? body)).toEqual([null, 'Oi, Marlene', 'Pronto', null])
  expect(performed.written).toEqual([
    { kind: 'text', body: 'Oi, Marlene' },
    { kind: 'note', body: 'Pronto' },
  ])
  expect(performed.set).toMatchObject({ status: 'closed', userId: ME, closedAt: NOW })
  expect(performed.logs.map(({ type }) => type)).toEqual(['transfered', 'receivedTransfer', 'closed'])
  expect(refusals([{ kind: 'close' }, text], given())).toEqual([null, 'ERR_MESSAGE_TICKET_CLOSED'])
})

const ids = (all: number[]) => fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 })
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ kind: fc.constantFrom('tag' as const, 'untag' as const), tagIds: ids([VIP, LATE]) }),
  fc.record({ kind: fc.constant('queue' as const), queueId: fc.constantFrom(SALES, MONEY, GONE) }),
  fc.record({ kind: fc.constant('person' as const), userId: fc.constantFrom(null, ME, ANA, GONE) }),
  fc.record({
    kind: fc.constantFrom('note' as const, 'text' as const),
    body: fc.constantFrom('a', '', 'x'.repeat(30)),
  }),
  fc.record({ kind: fc.constant('close' as const) }),
  fc.record({ kind: fc.constant('stage' as const), stageId: fc.constantFrom(NEW, WON, GONE) }),
  fc.record({ kind: fc.constant('snooze' as const), minutes: fc.integer({ min: 1, max: 525_600 }) }),
)

test('a list does what its actions would do one at a time, those that are refused left out', () => {
  const anyTicket = fc.constantFrom<Partial<TicketState>>(
    {},
    waiting,
    closed,
    { userId: ANA },
    { pausedAt: NOW - 1000 },
  )
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 8 }), anyTicket, (actions, from) => {
      const all = performAll(actions, given(from))
      let state = given(from).ticket
      let tags: readonly number[] = given().tagIds
      let { stageId } = given()
      for (const [index, action] of actions.entries()) {
        const one = performAll([action], given(state, { tagIds: tags, stageId }))
        expect(one.steps).toEqual([all.steps[index]])
        state = { ...state, ...one.set }
        stageId = one.stageId ?? stageId
        const { add, remove } = tagsOf([action])
        tags = [...new Set([...tags, ...add])].filter((id) => !remove.includes(id))
      }
      expect({ ...given(from).ticket, ...all.set }).toEqual(state)
      expect(all.stageId ?? given().stageId).toBe(stageId)
      const { add, remove } = tagsOf(actions)
      expect(new Set([VIP, ...add].filter((id) => !remove.includes(id)))).toEqual(new Set(tags))
      const began = [given(from).ticket, [VIP], given().stageId, []]
      const isSame = JSON.stringify(began) === JSON.stringify([state, tags, stageId, all.written])
      expect(all.isSame).toBe(isSame)
    }),
  )
})

test('what a list names is found by kind', () => {
  const actions: Action[] = [
    { kind: 'tag', tagIds: [1, 2] },
    { kind: 'untag', tagIds: [3] },
    { kind: 'queue', queueId: 4 },
    { kind: 'person', userId: 5 },
    { kind: 'person', userId: null },
    { kind: 'stage', stageId: 6 },
    { kind: 'close' },
    { kind: 'close', reasonId: 7 },
  ]
  expect(namedIn(actions)).toEqual({
    pipelineStage: [],
    tag: [1, 2, 3],
    queue: [4],
    user: [5],
    stage: [6],
    reason: [7],
  })
})
