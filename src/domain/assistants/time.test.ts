import { expect, test } from 'vitest'
import { answerUntil, LISTENING_MS, TURN_MS } from './time.ts'

test.each<[string, number, boolean, number]>([
  ['alone, an account has the whole minute', 0, false, 60_000],
  ['before a fallback, two thirds of it', 0, true, 40_000],
  ['the fallback has the last third', 40_000, false, 60_000],
  ['or more, if the first failed at once', 500, false, 60_000],
  ['after twenty seconds of transcribing, two thirds of the rest', 20_000, true, 46_666],
  ['once the time is over, none', 60_000, true, 60_000],
  ['nor later', 61_000, true, 61_000],
])('%s', (_, now, hasFallback, until) => {
  expect(answerUntil(now, TURN_MS, hasFallback)).toBe(until)
})

test('transcribing leaves most of the time for the answer', () => {
  expect(LISTENING_MS).toBeLessThanOrEqual(TURN_MS / 3)
})
