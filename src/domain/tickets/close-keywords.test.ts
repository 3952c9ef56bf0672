import { expect, test } from 'vitest'
import { closeKeywordsOf, isCloseKeyword } from './close-keywords.ts'

test('words stand one a line, or with commas between them, each once and as they are compared', () => {
  expect(closeKeywordsOf(' Sair\nENCERRAR, não quero ;; sair\r\n')).toEqual(['sair', 'encerrar', 'nao quero'])
  expect(closeKeywordsOf(Array.from({ length: 30 }, (_, n) => `p${n}`).join('\n'))).toHaveLength(20)
  expect(closeKeywordsOf('')).toEqual([])
})

test.each<[string, boolean]>([
  ['sair', true],
  ['  SAIR!! ', true],
  ['Não quero.', true],
  ['quero sair', false],
  ['sair daqui', false],
  ['', false],
  ['!', false],
])('“%s” says a closing word: %s', (text, expected) => {
  expect(isCloseKeyword(text, closeKeywordsOf('sair\nnão quero'))).toBe(expected)
})
