import { expect, test } from 'vitest'
import { textsOf } from './texts.ts'

test('the answer of a workflow may be a number', () => {
  expect(textsOf(42)).toEqual(['42'])
  expect(textsOf([{ output: 0 }, { json: { text: 'Olá' } }, { count: 3 }])).toEqual(['0', 'Olá'])
})
