import { expect, test } from 'vitest'
import { closeWordsOf, isCloseWord } from './close-words.ts'

test('words stand one a line, or with commas between them, each once and as they are compared', () => {
  expect(closeWordsOf(' Sair\nENCERRAR, não quero ;; sair\r\n')).toEqual(['sair', 'encerrar', 'nao quero'])
  expect(closeWordsOf(Array.from({ length: 30 }, (_, n) => `p${n}`).join('\n'))).toHaveLength(20)
  expect(closeWordsOf('')).toEqual([])
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
  expect(isCloseWord(text, closeWordsOf('sair\nnão quero'))).toBe(expected)
})
