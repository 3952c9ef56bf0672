import { expect, test } from 'vitest'
import { maskName, maskValue, searchableName } from './restricted.ts'

test.each([
  ['Marlene Duarte', 'Marle…'],
  ['José Antônio', 'José …'],
  ['+55 19 99812-4407', '+55 1…'],
  ['Bruno', 'Bruno'],
  ['Ana', 'Ana'],
  ['', ''],
  ['👩🏽‍🦰 Lia Prado', '👩🏽‍🦰 …'],
])('of %s a restricted user reads %s', (name, shown) => {
  expect(maskName(name)).toBe(shown)
})

test('numbers, e-mails and documents are known to be there, and no more', () => {
  expect([maskValue('5519998124407'), maskValue(''), maskValue(null)]).toEqual(['•••••••', '', null])
  expect(maskValue('1')).toBe(maskValue('5519998124407'))
})

test.each([
  ['Marle', 'Marle'],
  ['Marle…', 'Marle'],
  [' ana ', 'ana'],
  ['Marlen', null],
  ['5519998124407', null],
  ['', null],
  ['…', null],
])('who looks for %s is answered by what may be read: %s', (text, asked) => {
  expect(searchableName(text)).toBe(asked)
})
