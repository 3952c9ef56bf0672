import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Arrival,
  type ArrivalSettings,
  type ConversationState,
  type Decision,
  decideArrival,
  LETS_ALL_IN,
  NO_CONVERSATION,
} from './arrival.ts'

const FROM: Arrival = { by: 'contact', isGroup: false, number: '5519999990000' }
const GROUP: Arrival = { by: 'contact', isGroup: true, number: null }
const START: Arrival = { ...FROM, by: 'start' }
const PHONE: Arrival = { ...FROM, by: 'phone' }
const REOPEN: Arrival = { ...FROM, by: 'reopen' }
const FORBIDDEN: ArrivalSettings = { ...LETS_ALL_IN, forbidden: new Set(['551999990000']) }
const NO_GROUPS: ArrivalSettings = { ...LETS_ALL_IN, ignoreGroups: true }
const known = (state: Partial<ConversationState<string>>) => ({ ...NO_CONVERSATION, ...state })

test.each<[string, Arrival, ConversationState<string>, ArrivalSettings, Decision<string>]>([
  ['the first word', FROM, NO_CONVERSATION, LETS_ALL_IN, { kind: 'open', reason: 'none' }],
  ['after a closed one', FROM, known({ lastClosed: 'old' }), LETS_ALL_IN, { kind: 'open', reason: 'closed' }],
  ['goes on', FROM, known({ live: 'it' }), LETS_ALL_IN, { kind: 'continue', reason: 'live', ticket: 'it' }],
  [
    'goes on, whatever was asked before',
    FROM,
    known({ live: 'it', survey: 'old', lastClosed: 'old' }),
    LETS_ALL_IN,
    { kind: 'continue', reason: 'live', ticket: 'it' },
  ],
  [
    'answers a question',
    FROM,
    known({ survey: 'old', lastClosed: 'old' }),
    LETS_ALL_IN,
    { kind: 'survey', reason: 'answer', ticket: 'old' },
  ],
  ['a blocked contact', FROM, known({ live: 'it', isBlocked: true }), LETS_ALL_IN, { kind: 'drop', reason: 'blocked' }],
  ['a forbidden number', FROM, known({ live: 'it' }), FORBIDDEN, { kind: 'drop', reason: 'unwanted' }],
  ['a group where groups are not heard', GROUP, NO_CONVERSATION, NO_GROUPS, { kind: 'drop', reason: 'unwanted' }],
  ['a group', GROUP, NO_CONVERSATION, LETS_ALL_IN, { kind: 'open', reason: 'none' }],
  [
    'a group keeps its ticket',
    GROUP,
    known({ lastClosed: 'old', survey: 'old' }),
    LETS_ALL_IN,
    { kind: 'reuse', reason: 'group', ticket: 'old' },
  ],
  [
    'said on the phone',
    PHONE,
    known({ lastClosed: 'old', isBlocked: true }),
    LETS_ALL_IN,
    { kind: 'open', reason: 'closed' },
  ],
  [
    'said on the phone, to a number that is not let in',
    PHONE,
    NO_CONVERSATION,
    FORBIDDEN,
    { kind: 'drop', reason: 'unwanted' },
  ],
  ['said on the phone, no answer', PHONE, known({ survey: 'old' }), LETS_ALL_IN, { kind: 'open', reason: 'none' }],
  [
    'said on the phone in a group',
    { ...GROUP, by: 'phone' },
    known({ lastClosed: 'old' }),
    LETS_ALL_IN,
    { kind: 'reuse', reason: 'group', ticket: 'old' },
  ],
  ['a colleague starts', START, known({ lastClosed: 'old' }), FORBIDDEN, { kind: 'open', reason: 'closed' }],
  [
    'a colleague starts what goes on',
    START,
    known({ live: 'it' }),
    LETS_ALL_IN,
    { kind: 'continue', reason: 'live', ticket: 'it' },
  ],
  [
    'a colleague starts with a group anew',
    { ...GROUP, by: 'start' },
    known({ lastClosed: 'old' }),
    NO_GROUPS,
    { kind: 'open', reason: 'closed' },
  ],
  [
    'a colleague reopens',
    REOPEN,
    known({ lastClosed: 'old', isBlocked: true, survey: 'old' }),
    FORBIDDEN,
    { kind: 'reuse', reason: 'reopened', ticket: 'old' },
  ],
  [
    'a colleague reopens beside a live one',
    REOPEN,
    known({ lastClosed: 'old', live: 'it' }),
    LETS_ALL_IN,
    { kind: 'continue', reason: 'live', ticket: 'it' },
  ],
])('%s', (_name, arrival, state, settings, expected) => {
  expect(decideArrival(arrival, state, settings)).toEqual(expected)
})

const ticket = (name: string) => fc.constantFrom(null, name)

test('a live ticket is the only one that goes on, nothing opens beside it, and no ticket is made up', () => {
  fc.assert(
    fc.property(
      fc.record({
        by: fc.constantFrom<Arrival['by']>('contact', 'start', 'reopen'),
        isGroup: fc.boolean(),
        number: fc.constantFrom(null, '5519999990000', '5511888880000'),
      }),
      fc.record({
        live: ticket('live'),
        lastClosed: ticket('closed'),
        survey: ticket('asked'),
        isBlocked: fc.boolean(),
      }),
      fc.constantFrom(LETS_ALL_IN, NO_GROUPS, FORBIDDEN),
      (arrival, state, settings) => {
        const decision = decideArrival(arrival, state, settings)
        if (decision.kind === 'drop') {
          expect(arrival.by).toBe('contact')
          return
        }
        expect(decision.kind === 'continue').toBe(state.live !== null)
        const from = { continue: state.live, survey: state.survey, reuse: state.lastClosed, open: null }
        expect('ticket' in decision ? decision.ticket : null).toBe(from[decision.kind])
        // One answer for the same question, and a colleague's own work never depends on who is let in.
        if (arrival.by !== 'contact')
          expect(decision).toEqual(decideArrival(arrival, { ...state, isBlocked: !state.isBlocked }, LETS_ALL_IN))
      },
    ),
  )
})
