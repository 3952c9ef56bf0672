import { expect, test } from 'vitest'
import { dayOf, dayText, phoneText } from './words.ts'

test.each([
  ['5519998124407', '+55 (19) 99812-4407'],
  ['551932518870', '+55 (19) 3251-8870'],
  ['14155550132', '+14155550132'],
  ['@taina.casa', '@taina.casa'],
  [null, ''],
])('the number %s is shown as %s', (number, shown) => {
  expect(phoneText(number)).toBe(shown)
})

test.each([
  ['1968-03-14', '14/03/1968'],
  ['', ''],
])('the day %s is shown as %s and read back', (iso, shown) => {
  expect(dayText(iso)).toBe(shown)
  expect(dayOf(shown)).toBe(iso)
})

test('half a day stays what it is', () => {
  expect(dayOf('14/03/19')).toBe('14/03/19')
})
