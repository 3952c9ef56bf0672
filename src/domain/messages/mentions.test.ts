import { expect, test } from 'vitest'
import { mentionAt, mentionedIn, mentionsOf } from './mentions.ts'

test('the longest name counts', () => {
  expect(mentionAt('@Ana Lima, veja', 0, ['Ana', 'Ana Lima'])).toBe('Ana Lima')
  expect(mentionAt('@Ana, veja', 0, ['Ana', 'Ana Lima'])).toBe('Ana')
})

test.each([
  ['Veja isto, @Ana Lima, por favor', true],
  ['@Bia e @Ana Lima', true],
  ['(@Ana Lima)', true],
  ['Ana Lima sabe', false],
  ['@Ana Limada sabe', false],
  ['contato@Ana Lima', false],
  ['@ Ana Lima', false],
])('%s', (text, isMentioned) => expect(mentionedIn(text, [{ name: 'Ana Lima' }])).toHaveLength(isMentioned ? 1 : 0))

test('each mentioned name once, and not the shorter one within the longer', () => {
  const names = ['Ana', 'Ana Lima', 'Bia', ''].map((name) => ({ name }))
  const found = (text: string) => mentionedIn(text, names).map(({ name }) => name)
  expect(found('@Ana Lima e @Bia: @Bia, veja com bia@Ana @')).toEqual(['Ana Lima', 'Bia'])
  expect(found('@Ana')).toEqual(['Ana'])
})

test('of two who are called the same, the first is meant', () => {
  const [first, second] = [1, 2].map((id) => ({ id, name: 'Ana' }))
  expect(mentionedIn('@Ana', [second!, first!])).toEqual([second])
})

test.each([
  ['no data', null],
  ['a card', { fullName: 'Ana', phoneNumber: '1' }],
  ['something else of that name', { mentions: { named: 'Ana', userIds: 1 } }],
  ['a text', 'mentions'],
])('%s mentions nobody', (_, data) => expect(mentionsOf(data)).toEqual({ named: [], userIds: [] }))

test('what a note is stored with is read back', () => {
  const mentions = { named: [{ kind: 'team', id: 3, name: 'Vendas' }], userIds: [1, 2] }
  expect(mentionsOf({ mentions })).toEqual(mentions)
})
