import { expect, test } from 'vitest'
import { masked, matches } from './mask.ts'

test.each([
  ['phone', '19998124407', '(19) 99812-4407'],
  ['phone', '1938124407', '(19) 3812-4407'],
  ['phone', '199', '(19) 9'],
  ['phone', '+351 912 345', '+351 912 345'],
  ['cpf', '529982247251', '529.982.247-25'],
  ['name', 'Ana 2', 'Ana 2'],
])('%s: %s stands there as %s', (field, text, shown) => {
  expect(masked(field, text)).toBe(shown)
})

test('an opening is of one page, or of all that begin so', () => {
  expect(matches('/precos', 'https://loja.example/precos?x=1#a')).toBe(true)
  expect(matches('/precos', 'https://loja.example/precos/')).toBe(true)
  expect(matches('/precos', 'https://loja.example/precos/mais')).toBe(false)
  expect(matches('/p.o/*', 'https://loja.example/p.o/mais')).toBe(true)
  expect(matches('/p.o/*', 'https://loja.example/pxo/mais')).toBe(false)
  expect(matches('*', 'https://loja.example/')).toBe(true)
  expect(matches('*', '')).toBe(true)
})
