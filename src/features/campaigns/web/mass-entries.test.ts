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

test('lines that were read are shown as they are read again', () => {
  const lines = [{ number: '11988887777', values: ['R$ 1,50', 'Ana "Lu"'] }]
  expect(readEntries(listOf(lines, true), true)).toEqual(lines)
  expect(listOf(lines, false)).toBe('11988887777')
})
