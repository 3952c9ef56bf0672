import fc from 'fast-check'
import metadata from 'libphonenumber-js/min/metadata'
import { expect, test } from 'vitest'
import { formatTyped, movedTo, phoneCountries, typedCountry, typedNumber } from './typing.ts'

test.each([
  ['', ''],
  ['+', '+'],
  ['1', '+551'],
  ['(19) 99812-4407', '+5519998124407'],
  ['019 99812-4407', '+5519998124407'],
  ['5519998124407', '+5519998124407'],
  ['+1 415', '+1415'],
])('written in Brazil, %s is %s', (text, number) => {
  expect(typedNumber(text, '55')).toBe(number)
})

test.each([
  ['', ''],
  ['+', '+'],
  ['+5', '+5'],
  ['+55', '+55'],
  ['+551', '+55 (1'],
  ['+5519', '+55 (19'],
  ['+55199', '+55 (19) 9'],
  ['+5519998124407', '+55 (19) 99812-4407'],
  ['+551933221100', '+55 (19) 3322-1100'],
  ['+14155550132', '+1 415 555 0132'],
  ['120363041@g.us', '120363041@g.us'],
])('%s is shown as %s', (number, shown) => {
  expect(formatTyped(number, metadata)).toBe(shown)
})

test.each([
  ['', null],
  ['+', null],
  ['+55', 'BR'],
  ['+1', 'US'],
  ['+14165550132', 'CA'],
  ['+351', 'PT'],
  ['+999', null],
])('%s is of %s', (number, country) => {
  expect(typedCountry(number, metadata)).toBe(country)
})

test('of countries that share a code it is the likely one until the digits tell', () => {
  expect(typedCountry('+1', metadata, 'CA')).toBe('CA')
  expect(typedCountry('+14155550132', metadata, 'CA')).toBe('US')
  expect(typedCountry('+55', metadata, 'CA')).toBe('BR')
})

test('another country keeps what was written after the code', () => {
  expect(movedTo('+5519998124407', '351', metadata)).toBe('+35119998124407')
  expect(movedTo('', '1', metadata)).toBe('+1')
})

test('every country has a calling code, Brazil 55', () => {
  const all = phoneCountries(metadata)
  expect(all.length).toBeGreaterThan(240)
  expect(all.find(({ country }) => country === 'BR')?.code).toBe('55')
  expect(all.every(({ code }) => /^\d{1,3}$/.test(code))).toBe(true)
})

test('what is shown has the digits of the number, and reading it again gives the number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+(55|1|351|44|)\d{0,12}$/), (number) => {
      const shown = formatTyped(number, metadata)
      expect(typedNumber(shown, '55')).toBe(number)
    }),
  )
})
