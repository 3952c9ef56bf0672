import { expect, test } from 'vitest'
import { hueOf, initials } from './hue.ts'

test.each([
  ['Marlene Figueiredo', 'MF'],
  ['Condomínio Vila Verde', 'CV'],
  ['Dra. Priscila Nunes', 'PN'],
  ['João da Silva', 'JS'],
  ['Átila', 'ÁT'],
  ['+55 (19) 99812-4407', '07'],
  ['🙂', '?'],
])('initials of %s are %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('hues are stable and use the whole ring', () => {
  expect(hueOf(42)).toBe(hueOf('42'))
  expect(new Set(Array.from({ length: 400 }, (_, id) => hueOf(id))).size).toBe(10)
})
