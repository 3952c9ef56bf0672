import { expect, it } from 'vitest'
import { ownPath } from './session.ts'

it.each(['/', '/atendimento/7?timestamp=1', '/home#x', '/a//b', '/%2F%2Fmal.test'])('%s is a way back', (path) => {
  expect(ownPath(path)).toBe(path)
})

it.each([
  null,
  '',
  '//mal.test',
  '//mal.test/home',
  '///mal.test',
  '/\\mal.test',
  '\\\\mal.test',
  '/\t/mal.test',
  '/\n/mal.test',
  'https://mal.test/',
  'javascript:alert(1)',
  'data:text/html,x',
  'home',
])('%j leads elsewhere', (path) => {
  expect(ownPath(path)).toBeNull()
})
