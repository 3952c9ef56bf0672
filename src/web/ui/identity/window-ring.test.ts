import { expect, test } from 'vitest'
import { windowLeft } from './window-ring.tsx'

const hour = 3_600_000

test.each([
  [23 + 20 / 60, '23h20', 'pos'],
  [8.5, '8h30', 'pos'],
  [8.39, '8h23', 'warn'],
  [5 + 4 / 60, '5h04', 'warn'],
  [2.89, '2h53', 'warn'],
  [1 + 47 / 60, '1h47', 'neg'],
  [0.5, '30min', 'neg'],
  [0, 'fechada', 'closed'],
  [-3, 'fechada', 'closed'],
])('%s hours left show as %s (%s)', (left, text, tone) => {
  expect(windowLeft(left * hour, 0)).toMatchObject({ text, tone })
})

test('no time at all is a closed window; more than a day is a full ring', () => {
  expect(windowLeft(null, 0).tone).toBe('closed')
  expect(windowLeft(30 * hour, 0).share).toBe(1)
})
