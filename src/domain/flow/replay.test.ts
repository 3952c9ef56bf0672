import { expect, test } from 'vitest'
import { FLOW_FACTS } from '#test/flow-facts.ts'
import { readFlow } from './read.ts'
import { type RecordedEvent, recordedFacts } from './recording.ts'
import { outcomeOf, type Replayed, replay } from './replay.ts'

const NOON = Date.UTC(2026, 10, 20, 15)
const MINUTE = 60_000
type Json = Record<string, unknown>
const say = (message: string): Json => ({ type: 'MessageField', data: { message } })
const delay = (time: number): Json => ({ type: 'DelayField', data: { time } })
const ask: Json = { type: 'WebhookField', data: { webhook: 'https://loja.example', saveAs: 'loja' } }
const any = (rest: Json): Json => ({ type: 'US', ...rest })
const goTo = (nextStepId: string) => ({ action: 0, nextStepId })
const toQueue = { action: 1, queueId: 4 }
const node = (id: string, interactions: Json[], conditions: Json[]): Json => {
  return { id, name: id, type: 'node', interactions, conditions }
}
const flowOf = (nodes: Json[], minutes = 10) =>
  readFlow({
    nodeList: [
      {
        id: 'c',
        type: 'configurations',
        configurations: { notResponseMessage: { time: minutes, type: 1, destiny: 9, message: 'Ainda aí?' } },
      },
      ...nodes,
    ],
    lineList: [{ from: 'start', to: nodes[0]!['id'] }],
  })
const start: RecordedEvent = {
  type: 'start',
  at: NOON,
  chatFlowId: 1,
  version: 1,
  facts: recordedFacts(FLOW_FACTS, [], new Set(), true),
}
const answer = (at: number, text = 'oi'): RecordedEvent => ({ type: 'answer', at: NOON + at, text })
const timer = (at: number, number: number): RecordedEvent => ({ type: 'timer', at: NOON + at, number })
const called = (at: number, nodeId = 'shop', total = '7'): RecordedEvent => {
  return { type: 'called', at: NOON + at, nodeId, status: 200, body: JSON.stringify({ total }) }
}
type Flow = ReturnType<typeof flowOf>

/** Replays recorded events on their own flow and on another one, and returns both outcomes. */
function both(flow: Flow, other: Flow, events: readonly RecordedEvent[]) {
  const recording = { id: 's', seed: 1, events: [start, ...events] }
  const before = replay(recording, () => flow)!
  const after = replay(recording, () => flow, { flow: other, original: before })!
  return { before, after, outcome: outcomeOf(before, after) }
}
const said = ({ texts }: Replayed) => texts.flatMap(({ number, body }) => (number === null ? [] : [body]))

const menu = (text: string, minutes?: number) => flowOf([node('a', [say(text)], [any(toQueue)])], minutes)

test('a timer that rang late rings late on the draft as well: who had answered before is heard', () => {
  const late = [answer(10.5 * MINUTE)]
  expect(both(menu('Oi'), menu('Olá'), late).outcome).toBe('words')
  // One that the draft alone sets rings at its time, before that word.
  const sooner = both(menu('Oi'), menu('Oi', 5), late)
  expect([sooner.outcome, sooner.after.session.end, said(sooner.after)]).toEqual(['end', 'queue', ['Oi', 'Ainda aí?']])
  expect(sooner.after.direction).toEqual({ to: 'queue', queueId: 9 })
})

test('silence rings as it rang, also where it came a minute late', () => {
  // The start, a text, and the timer.
  const silent = both(menu('Oi'), menu('Olá'), [timer(11 * MINUTE, 3)])
  expect([silent.outcome, said(silent.before), said(silent.after)]).toEqual([
    'words',
    ['Oi', 'Ainda aí?'],
    ['Olá', 'Ainda aí?'],
  ])
})

test('what rang for one thing rings for no other that has its number on the draft', () => {
  const delayed = flowOf([node('a', [delay(5), say('Oi')], [any(toQueue)])])
  const silentAtOnce = flowOf([node('a', [], [any(toQueue)])])
  const { before, after } = both(delayed, silentAtOnce, [timer(5000, 2), answer(MINUTE)])
  expect([said(before), before.direction]).toEqual([['Oi'], { to: 'queue', queueId: 4 }])
  expect([said(after), after.direction]).toEqual([[], { to: 'queue', queueId: 4 }])
  // Not even where it was set for the same moment: silence comes when it comes, not when a delay was late.
  const waited = flowOf([node('a', [delay(600), say('Oi')], [any(toQueue)])])
  const late = both(waited, silentAtOnce, [answer(10.5 * MINUTE), timer(11 * MINUTE, 2)])
  expect([said(late.before), late.before.direction]).toEqual([['Oi'], { to: 'queue', queueId: 4 }])
  expect([said(late.after), late.after.direction]).toEqual([['Ainda aí?'], { to: 'queue', queueId: 9 }])
})

test('who had fallen silent stays it, however long the draft waits', () => {
  const { after, outcome } = both(menu('Oi'), menu('Oi', 20), [timer(10 * MINUTE, 3)])
  expect([outcome, said(after), after.session.end]).toEqual(['same', ['Oi', 'Ainda aí?'], 'queue'])
})

test('delays of the draft end at their time, also behind the last word; silence that nobody kept does not', () => {
  const slow = flowOf([node('a', [delay(30), say('Oi'), delay(30)], [any(toQueue)])])
  const { after } = both(menu('Oi'), slow, [])
  expect([said(after), after.session.waiting, after.session.end]).toEqual([['Oi'], { for: 'answer' }, null])
})

const shop = flowOf([
  node('menu', [say('Oi')], [any(goTo('shop'))]),
  node('shop', [ask, say('Total {{loja.total}}')], [any(toQueue)]),
])

test('a call is answered by what answered that node, also where it is asked later than then', () => {
  const events = [answer(MINUTE), called(MINUTE + 100), answer(2 * MINUTE), answer(3 * MINUTE)]
  const longer = flowOf([
    node('menu', [say('Oi')], [any(goTo('more'))]),
    node('more', [say('Qual?')], [any(goTo('shop'))]),
    node('shop', [ask, say('Total {{loja.total}}')], [any(toQueue)]),
  ])
  const { before, after, outcome } = both(shop, longer, events)
  expect(said(before)).toEqual(['Oi', 'Total 7'])
  expect([said(after), after.session.end, outcome]).toEqual([['Oi', 'Qual?', 'Total 7'], 'queue', 'way'])
})

test('an answer is given once, and to no other node: the draft waits for one that nobody has', () => {
  const events = [answer(MINUTE), called(MINUTE + 100), answer(2 * MINUTE)]
  const twice = flowOf([
    node('menu', [say('Oi')], [any(goTo('shop'))]),
    node('shop', [ask, ask, say('Total {{loja.total}}')], [any(toQueue)]),
  ])
  const elsewhere = flowOf([
    node('menu', [say('Oi')], [any(goTo('stock'))]),
    node('stock', [ask, say('Total {{loja.total}}')], [any(toQueue)]),
  ])
  const later = flowOf([
    node('menu', [say('Oi')], [any(goTo('more'))]),
    node('more', [], [any(goTo('shop'))]),
    node('shop', [ask, ask, say('Total {{loja.total}}')], [any(toQueue)]),
  ])
  for (const draft of [twice, later, elsewhere]) {
    const { after, outcome } = both(shop, draft, events)
    expect([said(after), after.session.waiting?.for, outcome]).toEqual([['Oi'], 'call', 'stuck'])
  }
})

test('of two things that happened at once, the later one was heard first: silence counts from each as it did', () => {
  const ring = flowOf([node('a', [say('Oi')], [any(goTo('a'))])])
  const { timers } = both(ring, ring, [answer(MINUTE), answer(MINUTE - 20)]).before.session
  expect(timers.map(({ at }) => at - NOON)).toEqual([11 * MINUTE - 20])
})

test('another flow is played in the version that it had each time, and not at all where it was not there', () => {
  const starts = (chatFlow: number): Json => ({ type: 'ChatFlowField', data: { chatFlow } })
  const menu = flowOf([node('a', [say('Oi')], [any(goTo('b'))]), node('b', [starts(2)], [])])
  const shops = ['Um', 'Dois'].map((text) =>
    flowOf([node('z', [say(text)], [any(goTo('y'))]), node('y', [starts(1)], [])]),
  )
  const came = (chatFlowId: number, version: number) => ({ flows: [{ chatFlowId, version }] })
  const events: RecordedEvent[] = [
    start,
    { ...answer(MINUTE), ...came(2, 1) },
    { ...answer(2 * MINUTE), ...came(1, 4) },
    { ...answer(3 * MINUTE), ...came(2, 2) },
    { ...answer(4 * MINUTE), ...came(1, 5) },
    // The other flow is switched off by now, whatever its state tonight.
    answer(5 * MINUTE),
  ]
  const shelf = ({ chatFlowId, version }: { chatFlowId: number; version: number }) =>
    chatFlowId === 1 ? menu : (shops[Math.max(0, version - 1)] ?? null)
  const played = replay({ id: 's', seed: 1, events }, shelf)!
  expect([said(played), played.session.version, played.session.end]).toEqual([
    ['Oi', 'Um', 'Oi', 'Dois', 'Oi'],
    5,
    'queue',
  ])
  expect(played.isFaulty).toBe(true)
})

test('the company’s own variables are those of then, event by event', () => {
  const flow = flowOf([
    node('a', [say('{{site}} {{campo.plano|sem plano}}')], [any(goTo('b'))]),
    node('b', [say('{{site}} {{campo.plano|sem plano}}')], [any(toQueue)]),
  ])
  const heard = (own: Record<string, string>, isStart: boolean) =>
    recordedFacts({ ...FLOW_FACTS, own: { ...own, other: 'x' } }, [], flow.variables, isStart)
  const first = heard({ site: 'loja.example', 'campo.plano': '' }, true)
  expect(first.own).toEqual({ site: 'loja.example', 'campo.plano': '' })
  const events = [
    { ...start, facts: first },
    { ...answer(MINUTE), facts: heard({ site: 'loja.example', 'campo.plano': 'Ouro' }, false) },
  ]
  expect(said(replay({ id: 's', seed: 1, events }, () => flow)!)).toEqual([
    'loja.example sem plano',
    'loja.example Ouro',
  ])
})

test('what the draft has tagged is known to it from then on; what was tagged then is recorded', () => {
  const asks = { type: 'R', on: 'tags', condition: ['7'], ...toQueue }
  const judged = node('b', [say('Certo?')], [asks, any({ action: 1, queueId: 9 })])
  const tagging = flowOf([node('a', [{ type: 'TagField', data: { tag: 7 } }, say('Oi')], [any(goTo('b'))]), judged])
  const plain = flowOf([node('a', [say('Oi')], [any(goTo('b'))]), judged])
  const heard = (tagIds: readonly number[]) => recordedFacts({ ...FLOW_FACTS, tagIds }, [], new Set(), false)
  const untagged = [answer(MINUTE), answer(2 * MINUTE)].map((one) => ({ ...one, facts: heard([]) }))
  expect(both(plain, tagging, untagged).after.direction).toEqual({ to: 'queue', queueId: 4 })
  const tagged = [answer(MINUTE), answer(2 * MINUTE)].map((one) => ({ ...one, facts: heard([7]) }))
  expect(both(tagging, plain, tagged).before.direction).toEqual({ to: 'queue', queueId: 4 })
  // A user removed the tag again.
  expect(both(tagging, plain, untagged).before.direction).toEqual({ to: 'queue', queueId: 9 })
})
