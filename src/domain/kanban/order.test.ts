import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { keysBetween, standsBefore } from './order.ts'

describe('keys', () => {
  test.each<[string | null, string | null, number]>([
    [null, null, 3],
    [null, 'a0', 2],
    ['a0', null, 2],
    ['a0', 'a1', 5],
    ['a0', 'a0V', 4],
    ['Zz', 'a0', 100],
  ])('between %s and %s are %i, rising', (before, after, count) => {
    const keys = keysBetween(before, after, count)
    const all = [...(before === null ? [] : [before]), ...keys, ...(after === null ? [] : [after])]
    expect(keys).toHaveLength(count)
    expect(all).toEqual([...new Set(all)].sort())
  })

  it('keep the order of a plain list, whatever is put between which', () => {
    const moves = fc.array(fc.record({ from: fc.nat(30), to: fc.nat(30) }), { maxLength: 200 })
    fc.assert(
      fc.property(moves, (all) => {
        const list = keysBetween(null, null, 20).map((order, id) => ({ id, order }))
        for (const { from, to } of all) {
          const [card] = list.splice(from % list.length, 1)
          const at = to % (list.length + 1)
          const [order] = keysBetween(list[at - 1]?.order ?? null, list[at]?.order ?? null, 1)
          list.splice(at, 0, { id: card!.id, order: order! })
        }
        expect(list.map(({ order }) => order)).toEqual(list.map(({ order }) => order).sort())
      }),
      { numRuns: 30 },
    )
  })
})

test.each([
  ['by keys', { id: 1, order: 'a0' }, { id: 2, order: 'a1' }, true],
  ['sign by sign, not as people sort', { id: 1, order: 'Zz' }, { id: 2, order: 'a0' }, true],
  ['without a stage the newest first', { id: 9, order: null }, { id: 2, order: null }, true],
  ['without a stage the oldest last', { id: 2, order: null }, { id: 9, order: null }, false],
])('cards stand %s', (_, one, other, expected) => {
  expect(standsBefore(one, other)).toBe(expected)
})
