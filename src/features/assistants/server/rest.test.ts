import { expect, test } from 'vitest'
import { isResting, noteFailure, noteSuccess } from './rest.ts'

const S = 1000

test.each([
  ['five failures within a minute', [0, 10 * S, 20 * S, 30 * S, 40 * S], 41 * S, true],
  ['a minute later', [0, 10 * S, 20 * S, 30 * S, 40 * S], 101 * S, false],
  ['four failures', [0, 1, 2, 3], 4, false],
  ['five failures in more than a minute', [0, 20 * S, 40 * S, 60 * S, 80 * S], 81 * S, false],
])('%s: an account rests or does not', (name, failures, now, rests) => {
  for (const at of failures) noteFailure(name, at)
  expect(isResting(name, now)).toBe(rests)
})

test('an answer between failures begins the count anew', () => {
  for (const at of [0, 1, 2, 3]) noteFailure('7:1', at)
  noteSuccess('7:1')
  noteFailure('7:1', 4)
  expect(isResting('7:1', 5)).toBe(false)
})
