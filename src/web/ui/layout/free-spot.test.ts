import { expect, test } from 'vitest'
import { freeSpot } from './free-spot.ts'

const view = { width: 1440, height: 900 }
const size = { width: 420, height: 64 }

test('an empty page has it in the upper right corner', () => {
  expect(freeSpot(size, view, [])).toEqual({ left: 1008, top: 12 })
})

test('beside buttons at the right it stands in the middle, and below what fills the whole top', () => {
  const action = { left: 1200, top: 20, width: 120, height: 36 }
  expect(freeSpot(size, view, [action])).toEqual({ left: 510, top: 12 })
  const search = { left: 300, top: 20, width: 400, height: 36 }
  const field = { left: 20, top: 20, width: 200, height: 36 }
  const { left, top } = freeSpot(size, view, [action, search, field])
  expect([left, top]).toEqual([1008, 60])
})

test('where every place covers something, it covers the least', () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ left: 0, top: index * 40, width: 390, height: 36 }))
  const spot = freeSpot({ width: 366, height: 60 }, { width: 390, height: 844 }, rows)
  expect(spot.top).toBeGreaterThan(0)
  expect(rows.filter((one) => one.top < spot.top + 60 && spot.top < one.top + 36)).toHaveLength(2)
})
