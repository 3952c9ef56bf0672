import { expect, test } from 'vitest'
import { isHopeless, waitAfter } from './retries.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [1, 5 * SECOND],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 5 * HOUR],
  [6, 10 * HOUR],
  [7, 10 * HOUR],
])('after try %i the next one is %i ms later, or up to a fifth more', (tries, wait) => {
  const usual = { retryAfterMs: null }
  expect(waitAfter(tries, usual, 0)).toBe(wait)
  const latest = waitAfter(tries, usual, 0.999) ?? 0
  expect([latest > wait, latest <= wait * 1.2]).toEqual([true, true])
})

test('the eighth try is the last one, and a receiver may ask for more time', () => {
  expect(waitAfter(8, { retryAfterMs: null }, 0)).toBeNull()
  expect(waitAfter(1, { retryAfterMs: 10 * MINUTE }, 0)).toBe(10 * MINUTE)
  expect(waitAfter(2, { retryAfterMs: MINUTE }, 0)).toBe(5 * MINUTE)
})

test('an endpoint is switched off after five days of failures', () => {
  expect([isHopeless(0, 9, 5 * DAY - 1), isHopeless(0, 9, 5 * DAY + 1)]).toEqual([false, true])
})
