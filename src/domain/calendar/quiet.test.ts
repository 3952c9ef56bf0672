import { expect, test } from 'vitest'
import { isQuiet } from './quiet.ts'

const at = (clock: string) => ({ hour: Number(clock.slice(0, 2)), minute: Number(clock.slice(3)) })
const hours = (quietFrom: string, quietTo: string, quiet = true) => ({ quiet, quietFrom, quietTo })

test.each([
  ['22:00', '07:00', '21:59', false],
  ['22:00', '07:00', '22:00', true],
  ['22:00', '07:00', '00:00', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['12:00', '13:30', '11:59', false],
  ['12:00', '13:30', '13:29', true],
  ['12:00', '13:30', '13:30', false],
  ['00:00', '00:00', '12:00', false],
])('from %s to %s, at %s: %s', (from, to, clock, quiet) => {
  expect(isQuiet(hours(from, to), at(clock))).toBe(quiet)
})

test('switched off, no hour is quiet', () => expect(isQuiet(hours('22:00', '07:00', false), at('23:00'))).toBe(false))
