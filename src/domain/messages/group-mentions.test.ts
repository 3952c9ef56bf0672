import { expect, test } from 'vitest'
import { mentioning, mentioningAll, mentionsIn, withAddresses, withNames } from './group-mentions.ts'

const ANA = { identity: '5519990000001', number: '5519990000001', name: 'Ana' }
const ANA_LUZ = { identity: '88@lid', number: '5519990000002', name: 'Ana Luz' }
const NAMELESS = { identity: '77@lid', number: null, name: '+55 19 99000-0003' }
const ALL = [ANA, ANA_LUZ, NAMELESS]

test.each([
  ['nobody', 'Oi, tudo bem?', [], null],
  ['an address of the web', 'ana@Ana.com', [], null],
  ['one', 'Oi @Ana!', ['Ana'], null],
  ['the longer of two names', 'Oi @Ana Luz', ['Ana Luz'], null],
  ['each once', '@Ana @Ana Luz, @Ana?', ['Ana', 'Ana Luz'], null],
  ['a part of a word is none', '@Anabela', [], null],
  ['everybody', 'Atenção, @todos', [], 'shown'],
  ['a number as a name', `@${NAMELESS.name} veja`, [NAMELESS.name], null],
])('mentions %s', (_, text, names, everyone) => {
  const found = mentionsIn(text, ALL)
  expect(found?.people.map(({ name }) => name) ?? []).toEqual(names)
  expect(found?.everyone ?? null).toBe(everyone)
})

test.each([
  ['@5519990000001 oi', '@Ana oi'],
  ['(@88@lid)', '(@Ana Luz)'],
  ['@88, @88: @88.', '@Ana Luz, @Ana Luz: @Ana Luz.'],
  ['@5519990000002, @77@lid', '@Ana Luz, @+55 19 99000-0003'],
  ['x@5519990000001', 'x@5519990000001'],
  ['@55199900000019', '@55199900000019'],
  ['$& @5519990000001', '$& @Ana'],
])('%s is read as %s', (text, named) => {
  expect(withNames(text, ALL)).toBe(named)
  expect(withNames(text, [])).toBe(text)
})

test('who is not in the text is put in front of it, and nobody twice', () => {
  expect(mentioning('veja isto', [ANA, ANA_LUZ])).toBe('@Ana @Ana Luz veja isto')
  expect(mentioning('veja @Ana Luz', [ANA, ANA_LUZ])).toBe('@Ana veja @Ana Luz')
  expect(mentioning('veja', [ANA, { ...ANA_LUZ, name: 'Ana' }])).toBe('@Ana veja')
  expect(mentioningAll('reunião')).toBe('@todos reunião')
  expect(mentioningAll('oi @todos')).toBe('oi @todos')
})

test('names become addresses and names again', () => {
  const text = 'Oi @Ana Luz e @Ana, a@Ana e @Bia'
  expect(withAddresses(text, ALL)).toBe('Oi @88 e @5519990000001, a@Ana e @Bia')
  expect(withNames(withAddresses(text, ALL), ALL)).toBe(text)
  const twice = [ANA, { ...ANA_LUZ, name: 'Ana' }]
  expect(withAddresses('@Ana @Ana @Ana', twice)).toBe('@5519990000001 @88 @5519990000001')
})
