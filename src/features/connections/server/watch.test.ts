import { expect, test } from 'vitest'
import { whatStops } from './watch.ts'

test.each([
  ['token', 'waba', 'nada sai'],
  ['token', 'evo', 'nada sai'],
  ['token', 'hub', 'nada sai'],
  ['token', 'webmail', 'nada entra nem sai'],
  ['refused', 'webmail', 'nada entra nem sai'],
  ['network', 'evo', 'nada entra nem sai'],
])('%s of a %s: %s', (cause, type, what) => {
  expect(whatStops(cause, type)).toBe(what)
})
