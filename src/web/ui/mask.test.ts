import { expect, test } from 'vitest'
import { applyMask, bare, type MaskName, maskHint } from './mask.ts'

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

test('hint and wire form', () => {
  expect(maskHint('cpf')).toBe('___.___.___-__')
  expect(bare('318.604.927-07')).toBe('31860492707')
})
