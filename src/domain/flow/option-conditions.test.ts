import { expect, test } from 'vitest'
import { changeItems, itemsOf, stepsIn } from './edit.ts'
import { textsOf } from './json.ts'
import { withOptionConditions } from './option-conditions.ts'

const offering = (values: readonly string[]) => [
  { id: 'o', type: 'MessageOptionsField', data: { message: 'O que deseja?', values } },
]
const documentOf = (options: readonly string[], conditions: readonly object[]) => ({
  nodeList: [{ id: 'menu', name: 'Menu', type: 'node', interactions: offering(options), conditions }],
  lineList: [],
})
const answer = (value: string, nextStepId = '') => ({ id: value, type: 'R', condition: [value], action: 0, nextStepId })
const conditionFor = (option: string) => answer(option)
const any = { id: 'any', type: 'US', condition: [], action: 0, nextStepId: 'x' }

test.each<[string, string[], string[], object[], string[]]>([
  ['the first options make theirs', [], ['Vendas', 'Suporte'], [], ['Vendas', 'Suporte']],
  ['one more comes before what takes everything', ['A'], ['A', 'B'], [answer('A', 'x'), any], ['A>x', 'B', '*']],
  ['a renamed one keeps its way', ['A', 'B'], ['A', 'Bê'], [answer('A', 'x'), answer('B', 'y')], ['A>x', 'Bê>y']],
  ['one that leads nowhere goes with its option', ['A', 'B'], ['A'], [answer('A', 'x'), answer('B')], ['A>x']],
  ['one that leads somewhere stays', ['A', 'B'], ['A'], [answer('A'), answer('B', 'y')], ['A', 'B>y']],
  [
    'what is asked by number is left alone',
    ['A', 'B'],
    ['A', 'Bê'],
    [answer('1', 'x'), answer('2', 'y')],
    ['1>x', '2>y'],
  ],
  [
    'a name that is written twice for a moment changes no other',
    ['A', 'A'],
    ['A', 'A2'],
    [answer('A', 'x')],
    ['A>x', 'A2'],
  ],
])('%s', (_, before, after, conditions, expected) => {
  const document = documentOf(before, conditions)
  const changed = changeItems(document, 'menu', 'interactions', () => offering(after))
  const [step] = stepsIn(withOptionConditions(document, changed, 'menu', conditionFor))
  const shown = itemsOf(step!, 'conditions').map(
    (one) =>
      `${textsOf(one['condition']).join() || '*'}${one['nextStepId'] ? (one['type'] === 'US' ? '' : `>${one['nextStepId']}`) : ''}`,
  )
  expect(shown).toEqual(expected)
})
