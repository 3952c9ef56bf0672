import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyMask,
  bare,
  documentMask,
  FILL,
  filled,
  isWhole,
  type MaskName,
  maskHint,
  patternOf,
  shape,
  shownOf,
  TOKENS,
  unmasked,
} from './mask.ts'

test.each<[MaskName, string]>([
  ['date', '####/##/##'],
  ['datetime', '####/##/## ##:##'],
  ['time', '##:##'],
  ['fulltime', '##:##:##'],
  ['phone', '(###) ### - ####'],
  ['card', '#### #### #### ####'],
])('the specification names %s as %s', (mask, pattern) => {
  expect(patternOf(mask)).toBe(pattern)
})

test.each<[MaskName, string, string]>([
  ['date', '20261118', '2026/11/18'],
  ['datetime', '202611181432', '2026/11/18 14:32'],
  ['time', '1432', '14:32'],
  ['fulltime', '143255', '14:32:55'],
  ['phone', '1234567890', '(123) 456 - 7890'],
  ['card', '4111111111111111', '4111 1111 1111 1111'],
  ['cpf', '31860492707', '318.604.927-07'],
  ['cnpj', '12abc34501de35', '12.ABC.345/01DE-35'],
  ['celular', '19998124407', '(19) 99812-4407'],
  ['cep', '13083', '13083'],
  ['cep', '130839', '13083-9'],
  ['data', '14x03', '14/03'],
])('%s shows %s as %s', (mask, typed, shown) => {
  expect(applyMask(mask, typed)).toBe(shown)
  expect(applyMask(mask, shown)).toBe(shown)
})

test.each([
  ['#', 'aÇ7', '7'],
  ['SS', '1aB', 'aB'],
  ['NNN', 'é1bC', '1bC'],
  ['AA', '1aB', 'AB'],
  ['aa', '1aB', 'ab'],
  ['XX', 'a1', 'A1'],
  ['xx', 'A1', 'a1'],
])('the places %s take %s as %s', (pattern, typed, shown) => {
  expect(shape(pattern, typed)).toBe(shown)
})

test('there are seven kinds of places: digit, letter, letter or digit, and each of the two in upper and lower case', () => {
  expect(Object.keys(TOKENS).join('')).toBe('#SNAaXx')
})

test('places to come are shown by an underscore', () => {
  expect(FILL).toBe('_')
  expect(maskHint('cpf')).toBe('___.___.___-__')
  expect(filled('data', '143')).toBe('14/3_/____')
  expect(filled('cnpj', '')).toBe('__.___.___/____-__')
})

test.each<[MaskName, string, string]>([
  ['date', '2026/11/18', '2026-11-18'],
  ['data', '18/11/2026', '2026-11-18'],
  ['datetime', '2026/11/18 14:32', '2026-11-18T14:32'],
  ['time', '14:32', '14:32'],
  ['cpf', '318.604.927-07', '31860492707'],
  ['cnpj', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['cep', '13083-970', '13083970'],
])('%s: %s travels as %s and comes back', (mask, shown, wire) => {
  expect(unmasked(mask, shown)).toBe(wire)
  expect(shownOf(mask, wire)).toBe(shown)
})

test('a date that is not whole travels as it was written, to be refused', () => {
  expect(unmasked('data', '18/11')).toBe('18/11')
  expect(isWhole('data', '18/11')).toBe(false)
  expect(isWhole('data', '18/11/2026')).toBe(true)
})

test('a document is a CPF until it has a letter or a twelfth character', () => {
  expect(documentMask('318.604.927-07')).toBe('cpf')
  expect(documentMask('11.222.333/0001')).toBe('cnpj')
  expect(documentMask('12A')).toBe('cnpj')
})

const names: MaskName[] = [
  'date',
  'datetime',
  'time',
  'fulltime',
  'phone',
  'card',
  'cpf',
  'cnpj',
  'celular',
  'cep',
  'data',
]

test('masking what was masked changes nothing, with or without the mask, and what travels comes back', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: 'grapheme' }), (mask, text) => {
      const shown = applyMask(mask, text)
      expect(applyMask(mask, shown)).toBe(shown)
      expect(applyMask(mask, bare(shown))).toBe(shown)
      expect(applyMask(mask, filled(mask, text))).toBe(shown)
      expect(shown.length).toBeLessThanOrEqual(patternOf(mask).length)
      expect(shownOf(mask, unmasked(mask, shown))).toBe(shown)
    }),
  )
})
