import { expect, test } from 'vitest'
import { compareTickets, waitedSince } from './filter.ts'

const [old, waiting, fresh, twin] = [
  { id: 1, at: 10, waitingSince: null },
  { id: 2, at: 20, waitingSince: 5 },
  { id: 3, at: 30, waitingSince: null },
  { id: 4, at: 30, waitingSince: null },
] as const

test.each([
  [{ oldestFirst: false, unansweredFirst: false }, [4, 3, 2, 1]],
  [{ oldestFirst: true, unansweredFirst: false }, [1, 2, 3, 4]],
  [{ oldestFirst: false, unansweredFirst: true }, [2, 4, 3, 1]],
  [{ oldestFirst: true, unansweredFirst: true }, [2, 1, 3, 4]],
])('%o puts tickets in this order', (order, expected) => {
  const sorted = [old, waiting, fresh, twin].sort((a, b) => compareTickets(order, a, b))
  expect(sorted.map(({ id }) => id)).toEqual(expected)
})

test('who has waited for so many minutes has waited since then', () => expect(waitedSince(15, 1_000_000)).toBe(100_000))
