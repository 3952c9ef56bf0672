import { expect, test } from 'vitest'
import { conversationOf, type Played, rowsOf, type Turn, turnsOf } from './conversation.ts'

const beginning = { contactId: null, channel: null, at: 1_000_000 }
const turns: readonly Turn[] = [
  { does: 'respond', nodeId: 'shop', status: 200, body: '{}' },
  { does: 'write', ms: 30_000, text: 'oi' },
  { does: 'wait', ms: 600_000 },
  { does: 'write', ms: 30_000, text: 'alô' },
]

test('the clock goes on with each turn, whether somebody writes or nobody does', () => {
  const { events, answers } = conversationOf(beginning, turns)
  expect(events).toEqual([{ at: 1_030_000, text: 'oi' }, { at: 1_630_000 }, { at: 1_660_000, text: 'alô' }])
  expect(answers).toEqual([{ nodeId: 'shop', status: 200, body: '{}' }])
})

test('a stored conversation is made of the turns that make it again', () => {
  expect(turnsOf(conversationOf(beginning, turns))).toEqual(turns)
})

test('each event stands before what it brought about, in the order in which that was done', () => {
  const { events } = conversationOf(beginning, turns)
  const done = (number: number, event: number | null) => ({ at: 0, number, event })
  const played = {
    messages: [
      { ...done(2, null), body: 'Olá', buttons: [] },
      { ...done(5, 2), body: 'Tchau', buttons: [] },
    ],
    steps: [
      { ...done(1, null), chatFlowId: 1, nodeId: 'a', why: 'O fluxo começou.', isEntry: true, branch: null },
      { ...done(3, 0), chatFlowId: 1, nodeId: 'a', why: 'Não entendi', isEntry: false, branch: null },
    ],
    effects: [{ ...done(4, 2), type: 'tag', id: 1, to: null, userId: null, text: '' }],
  } satisfies Pick<Played, 'messages' | 'steps' | 'effects'>
  expect(rowsOf(events, played as unknown as Played).map(({ kind }) => kind)).toEqual([
    ...['step', 'message'],
    ...['written', 'step'],
    'passed',
    ...['written', 'effect', 'message'],
  ])
})
