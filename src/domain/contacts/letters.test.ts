import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { type Encoding, GUESSED, judgeEncoding } from './letters.ts'

const decode = (bytes: string, encoding: Encoding) => iconv.decode(Buffer.from(bytes, 'latin1'), encoding)
const judged = (words: readonly string[], encoding: string) =>
  judgeEncoding(
    words.map((word) => iconv.encode(word, encoding).toString('latin1')),
    decode,
  )
const NAMES = 'José João Conceição Araújo Antônio Ângela Érica Lourenço Simões Mônica São Fátima Avô órfã Ítalo Úrsula'
const OLD = GUESSED.filter((encoding) => encoding !== 'utf-8')

it.each(
  OLD.flatMap((encoding) =>
    [NAMES, NAMES.toUpperCase(), 'André', 'França', 'Camões', 'Müller', 'Itália', 'nº 1º Drª'].map(
      (text) => [encoding, text] as const,
    ),
  ),
)('%s is told by %s', (encoding, text) => {
  expect(judged(text.split(' '), encoding)).toMatchObject({ best: encoding, isDoubtful: false })
})

it.each([
  ['a name that is one in both', ['JOÃO'], 'cp850'],
  ['a month that is a name in the other', ['MARÇO'], 'windows-1252'],
  ['a capital that is a small letter', ['Úrsula'], 'cp850'],
  ['letters of no language of ours', ['Ольга', 'Иван'], 'windows-1251'],
])('%s is doubtful', (_, words, encoding) => {
  const { isDoubtful, candidates } = judged(words, encoding)
  expect(isDoubtful).toBe(true)
  expect(candidates.length).toBeGreaterThan(1)
})

it('UTF-8 with a line of something else is doubtful, and still the likeliest', () => {
  const words = ['José', 'Ângela', 'Fátima'].map((word) => Buffer.from(word).toString('latin1'))
  expect(judgeEncoding([...words, 'Andr\xe9'], decode)).toMatchObject({ best: 'utf-8', isDoubtful: true })
})
