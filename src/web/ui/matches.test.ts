import { expect, test } from 'vitest'
import { matches } from './matches.ts'

test.each([
  ['Mensagens Rápidas', 'rapi', true],
  ['Mensagens Rápidas', 'men rap', true],
  ['Mensagens Rápidas', 'ápidas', false],
  ['Alternar claro e escuro', 'ESC', true],
  ['Contatos', '', true],
  ['Contatos', 'tatos', false],
])('%s with “%s”: %s', (label, typed, found) => {
  expect(matches(label, typed)).toBe(found)
})
