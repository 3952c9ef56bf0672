import { expect, test } from 'vitest'
import { isUnwanted, linesOf, listProblem } from './unwanted.ts'

const forbidden = linesOf('+55 (31) 99876-5432\n551133334444; 351912345678,,')

test('a list is read however it is written', () => {
  expect([...forbidden]).toEqual(['553198765432', '551133334444', '351912345678'])
  expect(linesOf(' \n ')).toEqual(new Set())
})

test.each([
  ['', null],
  ['+55 (31) 99876-5432\n551133334444; 351912345678,,', null],
  ['5519998124407\nDona Marlene', '“Dona Marlene” não é um número com código do país e DDD.'],
  ['99812-44', '“99812-44” não é um número com código do país e DDD.'],
])('a list is told what is no number: %j', (list, problem) => {
  expect(listProblem(list)).toBe(problem)
})

test.each([
  [false, '5531998765432', true],
  [false, '553198765432', true],
  [false, '553198765432@s.whatsapp.net', true],
  [false, '5531998765433', false],
  [false, null, false],
  [true, '5531998765433', false],
])('group %s, %s: %s', (isGroup, number, dropped) => {
  expect(isUnwanted({ isGroup, number }, { ignoreGroups: false, ignoreStories: false, forbidden })).toBe(dropped)
})

test('groups are dropped where they are to be ignored, persons are not', () => {
  const settings = { ignoreGroups: true, ignoreStories: true, forbidden: linesOf('') }
  expect(isUnwanted({ isGroup: true, number: null }, settings)).toBe(true)
  expect(isUnwanted({ isGroup: false, number: '5531998765432' }, settings)).toBe(false)
  expect(isUnwanted({ isGroup: false, number: '' }, settings)).toBe(false)
  expect(isUnwanted({ isGroup: false, isStory: true, number: null }, settings)).toBe(true)
  expect(isUnwanted({ isGroup: false, isStory: true, number: null }, { ...settings, ignoreStories: false })).toBe(false)
})
