import { expect, test } from 'vitest'
import { registry } from './registry.ts'

test('a table holds what the platform and each feature say', () => {
  const { table, add } = registry('thing', { own: { n: 0 } })
  add({ a: { n: 1 }, b: { n: 2 } })
  add()
  expect({ ...table }).toEqual({ own: { n: 0 }, a: { n: 1 }, b: { n: 2 } })
})

test('a name is claimed once; the same part may come again', () => {
  const part = { a: { n: 1 } }
  const { add } = registry('thing', { own: { n: 0 } })
  add(part)
  add(part)
  expect(() => add({ a: { n: 1 } })).toThrow('two features claim the thing a')
  expect(() => add({ own: { n: 0 } })).toThrow('two features claim the thing own')
})

test('what every object has is no name in a table', () => {
  const { table, add } = registry<string, object>('thing', {})
  expect([table['toString'], 'constructor' in table]).toEqual([undefined, false])
  add({ toString: { n: 1 } })
  expect(table['toString']).toEqual({ n: 1 })
})
