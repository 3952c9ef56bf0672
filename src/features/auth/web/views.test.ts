import { expect, test } from 'vitest'
import { viewOf } from './views.ts'

test.each([
  ['/login', 'login'],
  ['/login/', 'login'],
  ['/signup', 'signup'],
  ['/masterkey', 'masterkey'],
  ['/reset', 'reset'],
  ['/reset/um-codigo', 'reset'],
  ['/resetar', 'missing'],
  ['/auth/google/callback', 'google-callback'],
  ['/auth/google', 'missing'],
  ['/gmail/callbackUrlBack', 'gmail-callback'],
  ['/contatos', 'missing'],
  ['/', 'missing'],
])('%s is named %s', (path, name) => {
  expect(viewOf(path)).toBe(name)
  expect(viewOf(path, true)).toBe('setup')
})
