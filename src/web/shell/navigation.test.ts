import { expect, test } from 'vitest'
import { isCancelled } from './navigation.ts'

test.each([
  ['/atendimento/chats/', '/atendimento/chats/', true],
  ['/atendimento/chats/', '/atendimento/chats', true],
  ['/atendimento/chats/', '/atendimento', true],
  ['/atendimento', '/atendimento/chats/', true],
  ['/atendimento/7', '/atendimento/chats/', false],
  ['/atendimento/chats/', '/atendimento/7', false],
  ['/atendimento/chats/', '/atendimento/contatos', false],
  ['/contatos', '/atendimento/chats/', false],
])('opening the empty chat from the empty chat is cancelled: %s to %s, %s', (from, to, cancelled) => {
  expect(isCancelled('PUSH', { pathname: from }, { pathname: to, search: {} })).toBe(cancelled)
})

test('a filter of its list is chosen and emptied all the same', () => {
  const here = { pathname: '/atendimento/chats/', search: { tab: 'pending' } }
  expect(isCancelled('PUSH', { pathname: here.pathname }, here)).toBe(false)
  expect(isCancelled('REPLACE', here, { pathname: here.pathname, search: {} })).toBe(false)
  expect(isCancelled('BACK', here, { pathname: '/atendimento', search: {} })).toBe(false)
})
