import { expect, test } from 'vitest'
import { formatPhone } from './shown.ts'

test.each([
  ['5519998124407', '+55 (19) 99812-4407'],
  ['551932518870', '+55 (19) 3251-8870'],
  ['14155550132', '+14155550132'],
  ['@taina.casa', '@taina.casa'],
  [null, ''],
])('the number %s is shown as %s', (number, shown) => {
  expect(formatPhone(number)).toBe(shown)
})
