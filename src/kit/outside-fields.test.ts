import { expect, test } from 'vitest'
import { z } from 'zod'
import { readOutside } from './outside.ts'
import { flag, listOrOne, numberOrText, record, textOrNumber } from './outside-fields.ts'

const fields = record({ text: textOrNumber, number: numberOrText, flag, list: listOrOne(z.string()) })

test.each<[name: string, given: object, data: object, wrong: readonly string[]]>([
  [
    'texts',
    { text: 'a', number: '-12.5', flag: 'true', list: 'a' },
    { text: 'a', number: -12.5, flag: true, list: ['a'] },
    [],
  ],
  [
    'numbers',
    { text: 5, number: 5, flag: 0, list: ['a', 'b'] },
    { text: '5', number: 5, flag: false, list: ['a', 'b'] },
    [],
  ],
  ['halves', { number: { low: -1, high: 1, unsigned: true } }, { number: 2 ** 33 - 1 }, []],
  ['one of a list', { list: ['a', 5, 'b'] }, { list: ['a', 'b'] }, ['list.1']],
  ['neither', { text: {}, number: '1e9', flag: 'sim', list: {} }, {}, ['text', 'number', 'flag', 'list']],
  ['huge', { number: '9'.repeat(400) }, {}, ['number']],
])('reads %s', (_, given, data, wrong) => {
  expect(readOutside(fields, given)).toEqual({ data, wrong })
})
