import { expect, test } from 'vitest'
import { changesBetween, withRemoved } from './compare.ts'
import type { FlowDocument } from './document.ts'
import { changeItems, changeNode, changeSettings, connect, moveNodes, removeSteps } from './edit.ts'
import type { JsonObject } from './json.ts'

const say = (id: string, message: string): JsonObject => ({ id, type: 'MessageField', data: { message } })
const way = (id: string, rest: JsonObject): JsonObject => ({ id, type: 'R', condition: [id], action: 0, ...rest })
const FLOW: FlowDocument = {
  nodeList: [
    { id: 'start', type: 'start', left: '0px', top: '0px' },
    { id: 'c', type: 'configurations', configurations: { keyword: { message: 'menu' } } },
    {
      ...{ id: 'menu', name: 'Menu', type: 'node', left: '10px', top: '10px' },
      interactions: [say('m1', 'Oi'), say('m2', 'Escolha')],
      conditions: [way('comprar', { nextStepId: 'buy' }), way('prazo', { action: 3, closeTicket: 'Até logo' })],
    },
    { id: 'buy', name: 'Comprar', type: 'node', interactions: [say('b1', 'Legal')], conditions: [] },
  ],
  lineList: [{ from: 'start', to: 'menu' }],
}
const items = (after: FlowDocument) =>
  changesBetween(FLOW, after).steps.flatMap((step) =>
    step.items.map(({ list, before, after: now }) => [
      step.id,
      list,
      before?.value['id'] ?? null,
      now?.value['id'] ?? null,
      now?.index ?? null,
    ]),
  )

test('what only stands elsewhere, or is written otherwise, is no difference', () => {
  const moved = moveNodes(
    FLOW,
    new Map([
      ['menu', { x: 99, y: 99 }],
      ['menu#1', { x: 5, y: 5 }],
    ]),
  ) // prettier-ignore
  const reordered = { ...FLOW, nodeList: [...(FLOW['nodeList'] as JsonObject[])].reverse() }
  for (const same of [FLOW, structuredClone(FLOW), moved, reordered])
    expect(changesBetween(FLOW, same)).toEqual({ steps: [], settings: [], start: null })
})

test('items that come, go, change and change places are named by list', () => {
  const without = changeItems(FLOW, 'menu', 'interactions', (all) => all.slice(1))
  expect(items(without)).toEqual([['menu', 'interactions', 'm1', null, null]])
  const more = changeItems(FLOW, 'menu', 'interactions', (all) => [say('m0', 'Bom dia'), ...all])
  expect(items(more)).toEqual([['menu', 'interactions', null, 'm0', 0]])
  const other = changeItems(FLOW, 'menu', 'conditions', (all) => [all[0]!, { ...all[1]!, closeTicket: 'Tchau' }])
  expect(items(other)).toEqual([['menu', 'conditions', 'prazo', 'prazo', 1]])
  const turned = changesBetween(
    FLOW,
    changeItems(FLOW, 'menu', 'interactions', (all) => all.toReversed()),
  )
  expect(turned.steps).toMatchObject([{ id: 'menu', items: [], reordered: ['interactions'], fields: [] }])
  // Without ids they are known by what they mean.
  const bare = (all: readonly JsonObject[]) => all.map(({ id: _, ...rest }) => rest)
  const plain = changeItems(FLOW, 'menu', 'interactions', bare)
  const longer = changeItems(plain, 'menu', 'interactions', (all) => [
    ...all,
    { type: 'DelayField', data: { time: 2 } },
  ])
  expect(changesBetween(plain, longer).steps[0]?.items).toMatchObject([{ before: null, after: { index: 2 } }])
  const greeted = changeItems(plain, 'menu', 'interactions', (all) => [...bare([say('', 'Bom dia')]), ...all])
  expect(changesBetween(plain, greeted).steps[0]?.items).toMatchObject([{ before: null, after: { index: 0 } }])
})

test('steps, fields, configurations and the beginning', () => {
  const renamed = changeNode(FLOW, 'buy', (step) => ({ ...step, name: 'Vendas', variableKey: 'ambiente' }))
  expect(changesBetween(FLOW, renamed).steps).toMatchObject([{ id: 'buy', fields: ['name', 'variableKey'], items: [] }])
  const gone = removeSteps(FLOW, new Set(['buy']))
  const change = changesBetween(FLOW, gone)
  expect(change.steps.map(({ id, before, after }) => [id, before !== null, after !== null])).toEqual([
    ['menu', true, true],
    ['buy', true, false],
  ])
  expect((withRemoved(gone, change)['nodeList'] as JsonObject[]).map(({ id }) => id)).toContain('buy')
  expect(changesBetween(gone, FLOW).steps.at(-1)).toMatchObject({ id: 'buy', before: null })
  const configured = changeSettings(FLOW, 'keyword', { message: 'oi' })
  expect(changesBetween(FLOW, configured)).toEqual({ steps: [], settings: ['keyword'], start: null })
  const led = connect(FLOW, { id: 'start', index: null }, 'buy')
  expect(changesBetween(FLOW, led).start).toEqual({ before: 'menu', after: 'buy' })
})
