import { describe, expect, it } from 'vitest'
import { NEW_FLOW } from './document.ts'
import {
  addStep,
  changeItems,
  changeNode,
  changeSettings,
  connect,
  endId,
  movedItem,
  moveNodes,
  newStep,
  pasteSteps,
  pointOf,
  removeSteps,
  settingsIn,
  stepsIn,
  stepsInOrder,
  withField,
} from './edit.ts'
import type { JsonObject } from './json.ts'
import { readConfigurations, readFlow } from './read.ts'

const to = (nextStepId: string, rest: JsonObject = {}): JsonObject => ({
  id: 'c',
  type: 'US',
  action: 0,
  nextStepId,
  ...rest,
})
const step = (id: string, conditions: JsonObject[] = [], rest: JsonObject = {}): JsonObject => {
  return { id, name: id, type: 'node', interactions: [], conditions, ...rest }
}
const flow = (steps: JsonObject[], rest: JsonObject = {}): JsonObject => ({
  extra: { kept: [1, null] },
  nodeList: [{ id: 'start', type: 'start', ico: 'x' }, 'junk', ...steps],
  lineList: [{ from: 'start', to: steps[0]?.['id'], paintStyle: { stroke: 2 } }],
  ...rest,
})
const ids = (steps: readonly JsonObject[]) => steps.map(({ id }) => id)
const conditionsOf = (document: JsonObject, id: string) => readFlow(document).nodes.get(id)?.conditions

describe('a field', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ a: 1 }, { a: 2 }],
    [
      { a: 1, data: { b: 1 } },
      { a: 2, data: { b: 1 } },
    ],
    [{ data: { a: 1, b: 1 } }, { data: { a: 2, b: 1 } }],
    [
      { a: 0, data: { a: 1 } },
      { a: 0, data: { a: 2 } },
    ],
    [{ data: { b: 1 } }, { data: { b: 1, a: 2 } }],
    [{ b: 1 }, { b: 1, a: 2 }],
    [{ data: 'words' }, { data: { message: 'words', a: 2 } }],
  ])('of %j is set where it stands', (value, expected) => {
    expect(withField(value, 'a', 2)).toEqual(expected)
  })
})

describe('a document', () => {
  it('keeps what is not known through every edit, and is not changed itself', () => {
    const before = flow([step('a', [to('b', { strange: 1 })], { status: 'ok' }), step('b')])
    const copy = structuredClone(before)
    let after = addStep(before, newStep('n', 'Nova', { x: 10.4, y: 20 }))
    after = moveNodes(after, new Map([['a', { x: 5, y: 6 }]]))
    after = changeItems(after, 'a', 'conditions', (all) => [...all, to('n')])
    after = changeSettings(after, 'keyword', { message: 'menu' })
    expect(before).toEqual(copy)
    expect(after).toMatchObject({ extra: { kept: [1, null] } })
    expect((after['nodeList'] as unknown[]).slice(0, 3)).toEqual([
      { id: 'start', type: 'start', ico: 'x' },
      'junk',
      step('a', [to('b', { strange: 1 }), to('n')], { status: 'ok', left: '5px', top: '6px' }),
    ])
    expect(after['lineList']).toEqual([
      { from: 'start', to: 'a', paintStyle: { stroke: 2 } },
      { from: 'a', to: 'b' },
      { from: 'a', to: 'n' },
    ])
  })

  it('leads where it is connected, the start too, and nowhere where a step is gone', () => {
    const before = flow([step('a', [to('b')]), step('b', [to('a')]), step('c')])
    expect(readFlow(connect(before, { id: 'start', index: null }, 'b')).firstNode).toBe('b')
    const led = connect(before, { id: 'a', index: 0 }, 'c')
    expect(conditionsOf(led, 'a')).toMatchObject([{ action: { to: 'node', nodeId: 'c' } }])
    const gone = removeSteps(led, new Set(['c', 'start', 'a']))
    expect(ids(stepsIn(gone))).toEqual(['b'])
    expect(conditionsOf(gone, 'b')).toMatchObject([{ action: { nodeId: '' } }])
    expect(gone['lineList']).toEqual([])
    expect((gone['nodeList'] as JsonObject[])[0]).toMatchObject({ id: 'start' })
  })

  it('a condition that goes out of the flow leads to a step once it is connected', () => {
    const before = flow([step('a', [{ id: 'c', type: 'US', action: 1, queueId: 3 }]), step('b')])
    expect(conditionsOf(connect(before, { id: 'a', index: 0 }, 'b'), 'a')).toMatchObject([
      { action: { to: 'node', nodeId: 'b' } },
    ])
  })

  it('copies lead among themselves, to what is here, and else nowhere', () => {
    const before = flow([step('a'), step('z')])
    let count = 0
    const { document, ids: made } = pasteSteps(
      before,
      [step('a', [to('b'), to('z'), to('gone')], { left: '10px', top: '20px' }), step('b', [to('a')])],
      { x: 40, y: 40 },
      () => `n${++count}`,
    )
    expect(made).toEqual(['n1', 'n2'])
    expect(conditionsOf(document, 'n1')?.map(({ action }) => action)).toEqual([
      { to: 'node', nodeId: 'n2' },
      { to: 'node', nodeId: 'z' },
      { to: 'node', nodeId: '' },
    ])
    expect(conditionsOf(document, 'n2')).toMatchObject([{ action: { nodeId: 'n1' } }])
    expect(pointOf(stepsIn(document)[2]!)).toEqual({ x: 50, y: 60 })
    expect(conditionsOf(document, 'a')).toEqual([])
  })

  it('the ends of conditions stand where they were put', () => {
    const before = flow([step('a', [to('a'), { type: 'US', action: 1, queueId: 3 }])])
    const after = moveNodes(before, new Map([[endId('a', 1), { x: 7, y: 8 }]]))
    const [first, second] = stepsIn(after)[0]!['conditions'] as JsonObject[]
    expect([pointOf(first!), pointOf(second!)]).toEqual([null, { x: 7, y: 8 }])
  })

  it('is read along its ways, and what none leads to comes last', () => {
    const document = flow([step('a', [to('c'), to('b')]), step('lost'), step('b'), step('c', [to('d')]), step('d')])
    expect(ids(stepsInOrder(document))).toEqual(['a', 'c', 'b', 'd', 'lost'])
    expect(ids(stepsInOrder({ nodeList: [] }))).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['without any', flow([])],
    ['that a new flow has', NEW_FLOW],
    ['beside', flow([], { nodeList: [{ id: 'x', type: 'configurations', keyword: 'old' }] })],
    ['below data', flow([], { nodeList: [{ id: 'x', type: 'configurations', data: { configurations: { z: 1 } } }] })],
  ])('configurations %s are changed part by part', (_, before) => {
    const after = changeSettings(changeSettings(before, 'keyword', { message: 'menu' }), 'maxRetryBotMessage', {
      number: 5,
    })
    const read = readConfigurations(settingsIn(changeSettings(after, 'maxRetryBotMessage', { type: 3 })))
    expect([read.keyword, read.tries]).toEqual(['menu', { most: 5, direction: { to: 'close', text: '' } }])
  })

  it('a step is changed by its id alone', () => {
    const before = flow([step('a'), step('b')])
    expect(stepsIn(changeNode(before, 'b', (one) => withField(one, 'name', 'B'))).map(({ name }) => name)).toEqual([
      'a',
      'B',
    ])
  })
})

it.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
])('an item goes from %i to %i', (from, target, expected) => {
  expect(movedItem(['a', 'b', 'c'], from, target)).toEqual(expected)
})
