import { expect, test } from 'vitest'
import { partsOf } from '#domain/flow/parts.ts'
import type { Played } from './conversation.ts'
import type { Detail } from './draft.ts'
import { coverageMarks, pathMarks } from './marks.ts'

const parts = [
  {
    ...{ id: 'menu', name: 'Menu', type: 'node', interactions: [] },
    conditions: [
      { id: '1', type: 'R', condition: ['1'], action: 0, nextStepId: 'more' },
      { id: '2', type: 'US', action: 1, queueId: 4 },
    ],
  },
  { id: 'more', name: 'Mais', type: 'node', interactions: [], conditions: [] },
].map(partsOf)

test('a simulated conversation lights the start, what it entered and the conditions that held, of this flow alone', () => {
  const step = (chatFlowId: number, nodeId: string | null, isEntry: boolean, branch: object | null) => {
    return { at: 0, number: 1, event: null, why: '', chatFlowId, nodeId, isEntry, branch }
  }
  const steps = [
    step(1, 'menu', true, null),
    step(1, 'menu', false, null),
    step(1, 'menu', false, { nodeId: 'menu', index: 1 }),
    step(2, 'more', true, { nodeId: 'x', index: 0 }),
  ]
  expect([...pathMarks(1, { steps } as unknown as Played)]).toEqual([
    ['start', 'lit'],
    ['menu', 'lit'],
    ['menu>1', 'lit'],
    ['menu#1', 'lit'],
  ])
})

test('what no case goes through is marked: steps, and each way with its end', () => {
  const detail = { coverage: ['menu'], branches: [{ nodeId: 'menu', index: 0 }] } as unknown as Detail
  expect([...coverageMarks(parts, detail)]).toEqual([
    ['menu>1', 'uncovered'],
    ['menu#1', 'uncovered'],
    ['more', 'uncovered'],
  ])
})
