import { expect, test } from 'vitest'
import { mentionAt, mentionedIn, mentions } from './mentions.ts'

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
])('%s', (text, isMentioned) => expect(mentions(text, 'Ana Lima')).toBe(isMentioned))

test('nobody has no name', () => expect(mentions('@', '')).toBe(false))

test('each mentioned name once, and not the shorter one within the longer', () => {
  const names = ['Ana', 'Ana Lima', 'Bia', '']
  expect(mentionedIn('@Ana Lima e @Bia: @Bia, veja com bia@Ana @', names)).toEqual(['Ana Lima', 'Bia'])
  expect(mentionedIn('@Ana', names)).toEqual(['Ana'])
})
