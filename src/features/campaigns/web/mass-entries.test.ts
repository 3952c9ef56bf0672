import { expect, test } from 'vitest'
import { listOf, readEntries } from './mass-entries.ts'

test.each([
  ['', false, []],
  ['11 98888-7777\n\n(21) 97777-6666', false, [['11 98888-7777'], ['(21) 97777-6666']]],
  ['11988887777, 21977776666;', false, [['11988887777'], ['21977776666']]],
  [
    '11988887777,Ana,"R$ 1,50"\n21977776666,Bia,R$ 2',
    true,
    [
      ['11988887777', 'Ana', 'R$ 1,50'],
      ['21977776666', 'Bia', 'R$ 2'],
    ],
  ],
])('%j: lines', (text, hasValues, expected) => {
  expect(readEntries(text, hasValues).map(({ number, values }) => [number, ...values])).toEqual(expected)
})

test('a CSV file becomes lines: without its header, of each row the number alone where nothing else is asked', () => {
  const file = 'nome;telefone;valor\nAna;11 98888-7777;"R$ 1,50"\nBia;21977776666;R$ 2\n'
  expect(listOf(file, false)).toBe('11 98888-7777\n21977776666')
  expect(listOf('telefone,valor\n11988887777,"R$ 1,50"', true)).toBe('11988887777,"R$ 1,50"')
})
