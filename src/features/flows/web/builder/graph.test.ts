import { expect, test } from 'vitest'
import { changeItems, changeNode, moveNodes } from '#domain/flow/edit.ts'
import { type CanvasNode, edgesOf, NEW_CONDITION, nodesOf } from './graph.ts'

const say = (message: string) => ({ id: 'm', type: 'MessageField', data: { message } })
const document = {
  nodeList: [
    { id: 'start', type: 'start', left: '10px', top: '20px' },
    { id: 'c', type: 'configurations', configurations: { autoDistributeTickets: { type: 'B' } } },
    {
      ...{ id: 'menu', name: 'Menu', type: 'node', left: '100px', top: '50px', variableKey: 'n' },
      interactions: [say('Oi'), say('Uma mensagem que não cabe numa linha só')],
      conditions: [
        { id: '1', type: 'R', condition: ['1'], action: 0, nextStepId: 'more' },
        { id: '2', type: 'R', condition: ['2'], action: 1, queueId: 4 },
        { id: '3', type: 'R', condition: ['3'], action: 3, closeTicket: 'Tchau', left: '900px', top: '7px' },
        { id: '4', type: 'US', action: 0, nextStepId: 'gone' },
      ],
    },
    { id: 'more', name: 'Mais', type: 'node', left: '500px', top: '50px', interactions: [], conditions: [] },
  ],
  lineList: [{ from: 'start', to: 'menu' }],
}
const none = new Map()
const byId = (nodes: readonly CanvasNode[]) => new Map(nodes.map((node) => [node.id, node]))

test('steps stand where they were put, with the ends of what leads out beside them, below what is in their way, or where those were put', () => {
  const nodes = byId(nodesOf(document, [], none))
  expect([...nodes.keys()]).toEqual(['start', 'menu', 'menu#1', 'menu#2', 'more'])
  expect([...nodes.values()].map(({ position }) => position)).toEqual([
    { x: 10, y: 20 },
    { x: 100, y: 50 },
    // Another step of 100 px height covers its usual place.
    { x: 368, y: 50 + 100 + 16 },
    { x: 900, y: 7 },
    { x: 500, y: 50 },
  ])
  expect(nodes.get('menu#1')!.data).toMatchObject({ stepId: 'menu', index: 1, distribution: 'B' })
})

test('ways begin at their conditions, each in its row, and only where they lead somewhere', () => {
  expect(edgesOf(document).map(({ id, sourceHandle, target }) => [id, sourceHandle, target])).toEqual([
    ['start', 'start', 'menu'],
    ['menu>0', '0', 'more'],
    ['menu>1', '1', 'menu#1'],
    ['menu>2', '2', 'menu#2'],
  ])
  const nodes = byId(nodesOf(document, [], none))
  const sources = (id: string) => nodes.get(id)!.handles!.filter(({ type }) => type === 'source')
  // Header, one row, one row of two lines, the capture; then a row per condition.
  const first = 1 + 38 + 32 + 48 + 32
  expect(sources('menu').map(({ id, y }) => [id, y + 5])).toEqual(
    [0, 1, 2, 3].map((index) => [String(index), first + index * 28 + 14]),
  )
  expect(nodes.get('menu')!.measured).toEqual({ width: 208, height: first + 4 * 28 + 1 })
  expect(sources('more').map(({ id }) => id)).toEqual([NEW_CONDITION])
})

test('what has not changed is the same node as before, still selected; the others are new', () => {
  const before = nodesOf(document, [], none).map((node) => (node.id === 'more' ? { ...node, selected: true } : node))
  const same = (after: readonly CanvasNode[]) => after.filter((node) => before.includes(node)).map(({ id }) => id)
  expect(same(nodesOf(document, before, none))).toEqual(before.map(({ id }) => id))
  const renamed = changeNode(document, 'menu', (step) => ({ ...step, name: 'Outro' }))
  expect(same(nodesOf(renamed, before, none))).toEqual(['start', 'menu#1', 'menu#2', 'more'])
  const moved = nodesOf(moveNodes(document, new Map([['more', { x: 1, y: 2 }]])), before, none)
  // The end below is beside its step again.
  expect(same(moved)).toEqual(['start', 'menu', 'menu#2'])
  expect(byId(moved).get('menu#1')!.position).toEqual({ x: 368, y: 50 })
  expect(byId(moved).get('more')).toMatchObject({ position: { x: 1, y: 2 }, selected: true })
  expect(same(nodesOf(document, before, new Map([['menu', 'error']])))).toEqual(['start', 'menu#1', 'menu#2', 'more'])
})

test('what follows the pointer stands there, whatever is saved meanwhile', () => {
  const position = { x: 7, y: 8 }
  const before = nodesOf(document, [], none).map((node) =>
    node.id === 'more' ? { ...node, position, dragging: true } : node,
  )
  expect(byId(nodesOf(document, before, none)).get('more')).toBe(byId(before).get('more'))
  const levelled = nodesOf(document, before, new Map([['more', 'error']]))
  expect(byId(levelled).get('more')).toMatchObject({ position, dragging: true, data: { level: 'error' } })
})

test('arrows follow the conditions with every edit, and keep what else they came with', () => {
  const drawn = { from: 'menu', to: 'more', label: 'um', paintStyle: { stroke: 'red' } }
  const begin = { from: 'start', to: 'menu' }
  const imported = { ...document, lineList: [begin, drawn, { from: 'more', to: 'menu' }] }
  const edited = changeItems(imported, 'menu', 'conditions', (all) => all.slice(0, 3))
  expect(edited['lineList']).toEqual([begin, drawn])
})
