import { expect, test } from 'vitest'
import { FLOW_FACTS } from '#test/flow-facts.ts'
import { coverageOf, differences, type Expected } from './cases.ts'
import { readFlow } from './read.ts'
import { type SimulatedAnswer, type SimulatedEvent, simulate } from './simulate.ts'

const NOON = Date.UTC(2026, 10, 20, 15)
const MINUTE = 60_000
type Json = Record<string, unknown>
const say = (message: string): Json => ({ type: 'MessageField', data: { message } })
const node = (id: string, interactions: Json[], conditions: Json[] = [], rest: Json = {}): Json => {
  return { id, name: id, type: 'node', interactions, conditions, ...rest }
}
const any = (rest: Json): Json => ({ type: 'US', ...rest })
const goTo = (nextStepId: string) => ({ action: 0, nextStepId })
const flowOf = (nodes: Json[], configurations: Json = {}) =>
  readFlow({
    nodeList: [{ id: 'c', type: 'configurations', configurations }, ...nodes],
    lineList: [{ from: 'start', to: nodes[0]!['id'] }],
  })
const OTHER = flowOf([node('z', [say('Outro')], [any({ action: 3, closeTicket: 'Até logo' })])])
const SHOP = flowOf(
  [
    node(
      'menu',
      [say('Oi, {{name}}')],
      [
        { type: 'R', condition: ['pedido', '2'], ...goTo('ask') },
        { type: 'R', condition: ['outro'], ...goTo('other') },
        any({ action: 1, queueId: 4 }),
      ],
    ),
    node('ask', [{ type: 'DelayField', data: { time: 5 } }, say('Número?')], [any(goTo('shop'))], { variableKey: 'n' }),
    node(
      'shop',
      [
        { type: 'WebhookField', data: { webhook: 'https://loja.example/{{n}}', saveAs: 'loja' } },
        say('Total {{loja.total}}'),
      ],
      [any(goTo('menu'))],
    ),
    node('other', [{ type: 'ChatFlowField', data: { chatFlow: 2 } }]),
  ],
  { notResponseMessage: { time: 10, type: 1, destiny: 9, message: 'Ainda aí?' } },
)
const play = (events: SimulatedEvent[], answers: SimulatedAnswer[] = []) =>
  simulate(
    {
      chatFlowId: 1,
      version: 0,
      flows: new Map([
        [1, SHOP],
        [2, OTHER],
      ]),
      factsAt: () => FLOW_FACTS,
      seed: 1,
    },
    { at: NOON, events, answers },
  )
const words = (...texts: string[]) => texts.map((text, index) => ({ at: NOON + (index + 1) * MINUTE, text }))
const bodies = (...of: Parameters<typeof play>) => play(...of).messages.map(({ body }) => body)

test('what is said, which nodes are entered, and what decided', () => {
  const { messages, path, steps, session } = play(words('quero o PEDIDO', '2'))
  expect(messages.map(({ at, body }) => [at - NOON, body])).toEqual([[0, 'Oi, Maria']])
  expect([path, session.end]).toEqual([['menu'], 'queue'])
  const chosen = play(words('2'))
  expect(chosen.path).toEqual(['menu', 'ask'])
  expect(chosen.steps.map(({ nodeId, event, why }) => [nodeId, event, why])).toEqual([
    ['menu', null, 'O fluxo começou.'],
    ['ask', 0, 'A resposta corresponde a “2” em “menu”. Segue em “ask”.'],
  ])
  expect(steps.at(-1)).toMatchObject({ event: 0, why: 'Qualquer resposta em “menu”.' })
  // The delay ends, though nothing more is said.
  expect(chosen.messages.at(-1)).toMatchObject({ at: NOON + MINUTE + 5000, body: 'Número?' })
})

test('the clock moves: silence is acted upon when its time has come, not before', () => {
  expect(play([{ at: NOON + 9 * MINUTE }]).session.end).toBe(null)
  const silent = play([{ at: NOON + 11 * MINUTE }])
  expect([silent.session.end, silent.messages.at(-1)]).toMatchObject([
    'queue',
    { at: NOON + 10 * MINUTE, body: 'Ainda aí?' },
  ])
  // The clock never goes back.
  const back = play([
    { at: NOON + MINUTE, text: '2' },
    { at: NOON, text: '12' },
  ])
  const times = [...back.steps, ...back.messages].map(({ at }) => at - NOON)
  expect([...new Set(times)].toSorted((a, b) => a - b)).toEqual([0, MINUTE, MINUTE + 5000])
  // A message after the time-out is too late.
  expect(play([{ at: NOON + 11 * MINUTE, text: '2' }]).path).toEqual(['menu'])
})

test('what is known is what is known at each moment, and in the end', () => {
  const asks = { ...any({ action: 1, queueId: 9 }), on: 'hours', condition: ['closed'], type: 'R' }
  const flow = flowOf([
    node('a', [say('{{greeting}}')], [any(goTo('b'))]),
    node('b', [say('{{greeting}}')], [asks, any({ action: 1, queueId: 4 })]),
  ])
  const factsAt = (at: number) => {
    const isOpen = at < NOON + 10 * MINUTE
    return { ...FLOW_FACTS, values: { greeting: isOpen ? 'bom dia' : 'boa noite' }, own: { site: 'x' }, isOpen }
  }
  const stage = { chatFlowId: 1, version: 0, flows: new Map([[1, flow]]), factsAt, seed: 1 }
  const at = (minutes: number) => ({ at: NOON + minutes * MINUTE, text: 'oi' })
  const early = simulate(stage, { at: NOON, events: [at(8), at(9)], answers: [] })
  const late = simulate(stage, { at: NOON, events: [at(9), { at: NOON + 10 * MINUTE }], answers: [] })
  const later = simulate(stage, { at: NOON, events: [at(9), at(10)], answers: [] })
  const queueOf = ({ effects }: typeof early) =>
    effects.flatMap((one) => (one.type === 'direct' ? [one.direction] : []))
  expect([queueOf(early), queueOf(late), queueOf(later)]).toEqual([
    [{ to: 'queue', queueId: 4 }],
    [],
    [{ to: 'queue', queueId: 9 }],
  ])
  expect([early.known, late.known]).toEqual([
    { site: 'x', greeting: 'bom dia' },
    { site: 'x', greeting: 'boa noite' },
  ])
})

test('an outside answer is what is chosen; without one it is waited for', () => {
  const waiting = play(words('2', '12/3', 'alô'))
  expect([waiting.session.waiting?.for, waiting.call]).toEqual([
    'call',
    { nodeId: 'shop', method: 'GET', url: 'https://loja.example/12%2F3', saveAs: 'loja', isAssistant: false },
  ])
  const answers = [
    { nodeId: 'ask', status: 500, body: '' },
    { status: 200, body: '{"total":"9,90"}' },
  ]
  expect(bodies(words('2', '12'), answers).at(-1)).toBe('Total 9,90')
  expect(play(words('2', '12'), answers).call).toBe(null)
})

test('another flow goes on in its own words; the same input gives the same answer', () => {
  expect(bodies(words('outro', 'ok'))).toEqual(['Oi, Maria', 'Outro', 'Até logo'])
  expect(play(words('outro', 'ok'))).toMatchObject({ path: ['menu', 'other', 'z'], session: { end: 'closed' } })
  expect(play(words('2', '12'))).toEqual(play(words('2', '12')))
})

test('what was done is numbered in its order, and each way names its condition as it is written, patterns too', () => {
  const { messages, steps, effects } = play(words('2', '12'), [{ status: 200, body: '{"total":"7"}' }])
  const all = [...messages, ...steps, ...effects].sort((a, b) => a.number - b.number)
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
  expect(messages.map(({ event, body }) => [event, body])).toEqual([
    [null, 'Oi, Maria'],
    [0, 'Número?'],
    [1, 'Total 7'],
  ])
  expect(steps.flatMap(({ branch }) => branch ?? [])).toEqual([
    { nodeId: 'menu', index: 0 },
    { nodeId: 'ask', index: 0 },
  ])
  // Patterns are evaluated first, wherever they are.
  const flow = flowOf([
    node(
      'a',
      [],
      [any({ action: 1, queueId: 4 }), { type: 'R', comparisonType: 'regex', condition: ['^9'], ...goTo('b') }],
    ),
    node('b', []),
  ])
  const stage = { chatFlowId: 1, version: 0, flows: new Map([[1, flow]]), factsAt: () => FLOW_FACTS, seed: 1 }
  const played = simulate(stage, { at: NOON, events: words('99'), answers: [] })
  expect(coverageOf(1, [played])).toEqual({ nodes: ['a', 'b'], branches: [{ nodeId: 'a', index: 1 }] })
})

test('what the flow has tagged is known from then on, also in another flow that it starts', () => {
  const tags: Json = { type: 'TagField', data: { tag: 7 } }
  const asks = { type: 'R', on: 'tags', condition: ['7'], action: 1, queueId: 9 }
  const judged = (rest: Json) => node('b', [], [asks, any({ action: 1, queueId: 4 })], rest)
  const direct = ({ effects }: ReturnType<typeof simulate>) =>
    effects.flatMap((one) => (one.type === 'direct' ? [one.direction] : []))
  const stage = (own: ReturnType<typeof flowOf>, other: ReturnType<typeof flowOf>) => ({
    ...{ chatFlowId: 1, version: 0, factsAt: () => FLOW_FACTS, seed: 1 },
    flows: new Map([
      [1, own],
      [2, other],
    ]),
  })
  const later = flowOf([node('a', [tags], [any(goTo('b'))]), judged({})])
  const other = flowOf([node('a', [tags, { type: 'ChatFlowField', data: { chatFlow: 2 } }])])
  const events = words('oi', 'sim')
  expect(direct(simulate(stage(later, OTHER), { at: NOON, events, answers: [] }))).toEqual([
    { to: 'queue', queueId: 9 },
  ])
  const started = stage(other, flowOf([judged({ wait: false })]))
  expect(direct(simulate(started, { at: NOON, events: [], answers: [] }))).toEqual([{ to: 'queue', queueId: 9 }])
})

test('coverage is of one flow, by all conversations together', () => {
  const all = [play(words('outro', 'ok')), play(words('2'))]
  expect(coverageOf(1, all)).toEqual({
    nodes: ['menu', 'other', 'ask'],
    branches: [
      { nodeId: 'menu', index: 1 },
      { nodeId: 'menu', index: 0 },
    ],
  })
  expect(coverageOf(2, all)).toEqual({ nodes: ['z'], branches: [{ nodeId: 'z', index: 0 }] })
})

test.each<[Expected, string[]]>([
  [{}, []],
  [{ messages: ['Oi, Maria'], path: ['menu'], end: 'queue' }, []],
  [{ messages: ['Oi, Maria', 'x'] }, ['messages']],
  [{ path: [], end: null }, ['path', 'end']],
  [{ end: 'user' }, ['end']],
])('expecting %j differs in %j', (expected, fields) => {
  expect(differences(expected, play(words('x'))).map(({ field }) => field)).toEqual(fields)
})
