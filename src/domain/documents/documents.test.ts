import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDocument, isCnpj, isCpf, parseDocument, withLeadingZeros } from './documents.ts'

test.each([
  ['529.982.247-25', 'cpf', '52998224725'],
  ['52998224725', 'cpf', '52998224725'],
  [' 111.444.777-35 ', 'cpf', '11144477735'],
  ['11.222.333/0001-81', 'cnpj', '11222333000181'],
  ['12.ABC.345/01DE-35', 'cnpj', '12ABC34501DE35'],
  ['12abc34501de35', 'cnpj', '12ABC34501DE35'],
])('%s is the %s %s', (text, kind, value) => {
  expect(parseDocument(text)).toEqual({ kind, value })
})

test.each([
  '',
  '529.982.247-26',
  '111.111.111-11',
  '5299822472',
  '529982247255',
  '11.222.333/0001-82',
  '00.000.000/0000-00',
  '12.ABC.345/01DE-36',
  '12.ABC.345/01DE-3A',
  '12.ABÇ.345/01DE-35',
])('refuses "%s"', (text) => {
  expect(parseDocument(text)).toBeNull()
})

test.each([
  ['52998224725', '529.982.247-25'],
  ['11222333000181', '11.222.333/0001-81'],
  ['12abc34501de35', '12.ABC.345/01DE-35'],
  ['sem documento', 'sem documento'],
])('%s reads %s', (text, formatted) => {
  expect(formatDocument(text)).toBe(formatted)
})

/** The check digits once more, by the published weights and values, from left to right. */
function byPublishedWeights(base: string, weights: readonly number[][]): string {
  return weights.reduce((text, row) => {
    const rest = row.reduce((sum, weight, index) => sum + weight * (text.charCodeAt(index) - 48), 0) % 11
    return text + (rest < 2 ? 0 : 11 - rest)
  }, base)
}

const CNPJ_WEIGHTS = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
]
const CPF_WEIGHTS = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
]
const text = (alphabet: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length })
const isMixed = (value: string) => new Set(value).size > 1

test('what the published weights give is valid, and no single wrong check digit is', () => {
  fc.assert(
    fc.property(
      text('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 12).filter(isMixed),
      text('0123456789', 9).filter(isMixed),
      fc.integer({ min: 1, max: 9 }),
      (company, person, shift) => {
        const cnpj = byPublishedWeights(company, CNPJ_WEIGHTS)
        const cpf = byPublishedWeights(person, CPF_WEIGHTS)
        expect(isCnpj(cnpj)).toBe(true)
        expect(isCpf(cpf)).toBe(true)
        expect(isCnpj(formatDocument(cnpj))).toBe(true)
        const wrong = (Number(cpf.at(-1)) + shift) % 10
        expect(isCpf(cpf.slice(0, -1) + wrong)).toBe(false)
      },
    ),
  )
})

test.each([
  ['1234567890', '01234567890'],
  ['1000000000154', '01000000000154'],
  ['1234567891', '1234567891'],
  ['52998224725', '52998224725'],
  ['123', '123'],
])('%s had the zeros of %s', (text, whole) => expect(withLeadingZeros(text)).toBe(whole))
