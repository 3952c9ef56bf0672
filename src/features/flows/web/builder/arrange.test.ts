import { expect, test } from 'vitest'
import { arrange } from './arrange.ts'

// Each step leads to the next and to the two below it: edges that cross hundreds of columns if each step is placed
// after all before it.
const wide = (count: number) => ({
  boxes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, width: 208, height: 170 })),
  edges: Array.from({ length: count }, (_, n) => [2 * n + 1, 2 * n + 2, n + 1])
    .flatMap((targets, n) => targets.map((to) => ({ from: `n${n}`, to: `n${to}` })))
    .filter(({ to }) => Number(to.slice(1)) < count),
})

test('five hundred steps with ways across are arranged in seconds, none over another', () => {
  const points = arrange(wide(500)).map(([, at]) => at)
  expect(points).toHaveLength(500)
  const columns = Map.groupBy(points, ({ x }) => x)
  for (const [x, column] of columns) {
    const heights = column.map(({ y }) => y).sort((a, b) => a - b)
    expect(
      heights.every((y, n) => n === 0 || y - heights[n - 1]! >= 170),
      `column at ${x}`,
    ).toBe(true)
  }
  const xs = [...columns.keys()].sort((a, b) => a - b)
  expect(xs.every((x, n) => n === 0 || x - xs[n - 1]! >= 208)).toBe(true)
})

test('a small flow has what is last behind all that leads to it', () => {
  const at = new Map(arrange(wide(5)))
  expect(at.get('n4')!.x).toBeGreaterThan(at.get('n3')!.x)
  expect(at.get('n3')!.x).toBeGreaterThan(at.get('n2')!.x)
})

test('the way out that is named first goes above the others, whichever that is', () => {
  const boxes = ['a', 'b', 'c'].map((id) => ({ id, width: 208, height: 100 }))
  for (const [first, second] of [
    ['b', 'c'],
    ['c', 'b'],
  ] as const) {
    const at = new Map(arrange({ boxes, edges: [first, second].map((to) => ({ from: 'a', to })) }))
    expect(at.get(first)!.y).toBeLessThan(at.get(second)!.y)
  }
})
