import { expect, test } from 'vitest'
import { formatPhone, isHiddenNumber } from './shown.ts'

test.each([
  ['5519998124407', '+55 (19) 99812-4407'],
  ['551932518870', '+55 (19) 3251-8870'],
  ['14155550132', '+14155550132'],
  ['@taina.casa', '@taina.casa'],
  [null, ''],
])('the number %s is shown as %s', (number, shown) => {
  expect(formatPhone(number)).toBe(shown)
})

test.each([
  ['88123456789@lid', true],
  ['BR.1500a0', true],
  ['5519998124407', false],
  ['@taina.casa', false],
  ['ana@loja.dev', false],
  ['BR.loja@loja.dev', false],
  ['', false],
])('the address %s hides a number: %s', (address, is) => {
  expect(isHiddenNumber(address)).toBe(is)
})
