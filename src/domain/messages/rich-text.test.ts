import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Piece, parseText, plainText } from './rich-text.ts'

const text = (value: string): Piece => ({ kind: 'text', text: value })

test.each<[string, Piece[]]>([
  ['Trocamos *sem custo*, tá?', [text('Trocamos '), { kind: 'bold', of: [text('sem custo')] }, text(', tá?')]],
  ['_itálico_', [{ kind: 'italic', of: [text('itálico')] }]],
  ['~R$ 90~ R$ 70', [{ kind: 'strike', of: [text('R$ 90')] }, text(' R$ 70')]],
  ['*_os dois_*', [{ kind: 'bold', of: [{ kind: 'italic', of: [text('os dois')] }] }]],
  ['2*3*4 e nome_de_arquivo', [text('2*3*4 e nome_de_arquivo')]],
  ['* não é negrito *', [text('* não é negrito *')]],
  ['*uma\nlinha*', [text('*uma\nlinha*')]],
  ['`a*b*c`', [{ kind: 'mono', text: 'a*b*c' }]],
  ['```\nlinha 1\nlinha 2\n```', [{ kind: 'block', text: 'linha 1\nlinha 2' }]],
  ['```sem fim', [text('```sem fim')]],
  [
    'Veja https://loja.com/a_b_c?x=1. Ok',
    [
      text('Veja '),
      { kind: 'link', text: 'https://loja.com/a_b_c?x=1', href: 'https://loja.com/a_b_c?x=1' },
      text('. Ok'),
    ],
  ],
  ['www.loja.com.br', [{ kind: 'link', text: 'www.loja.com.br', href: 'https://www.loja.com.br' }]],
  ['ana@loja.com.br', [{ kind: 'link', text: 'ana@loja.com.br', href: 'mailto:ana@loja.com.br' }]],
  ['javascript:alert(1)', [text('javascript:alert(1)')]],
])('%s', (source, pieces) => {
  expect(parseText(source)).toEqual(pieces)
})

test('the longest known name is mentioned, unknown ones stay text', () => {
  expect(parseText('@Camila Duarte veja, @Bia', ['Camila', 'Camila Duarte'])).toEqual([
    { kind: 'mention', text: '@Camila Duarte' },
    text(' veja, @Bia'),
  ])
})

test('no text is lost, whatever is written', () => {
  const source = fc.string({ unit: fc.constantFrom('*', '_', '~', '`', ' ', '\n', 'a', 'é', '.', '@', 'www.b.c ') })
  fc.assert(
    fc.property(source, (written) => {
      const letters = (value: string) => value.replace(/[*_~`\s]/g, '')
      expect(letters(plainText(written))).toBe(letters(written))
    }),
  )
})

test('a link never leads to a scheme other than http, https and mailto', () => {
  const urls = (pieces: readonly Piece[]): string[] =>
    pieces.flatMap((piece) => (piece.kind === 'link' ? [piece.href] : 'of' in piece ? urls(piece.of) : []))
  fc.assert(
    fc.property(fc.webUrl(), fc.string(), (url, noise) => {
      for (const href of urls(parseText(`${noise}${url} ${noise}`))) expect(href).toMatch(/^(https?:\/\/|mailto:)/i)
    }),
  )
})
