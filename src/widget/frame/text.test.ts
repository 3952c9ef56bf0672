import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Piece, pieces } from './text.ts'

const b = (...inside: Piece[]): Piece => ({ mark: 'strong', inside })

test.each<[string, Piece[]]>([
  ['sem marcas', ['sem marcas']],
  ['preço *R$ 10* hoje', ['preço ', b('R$ 10'), ' hoje']],
  ['*a _b_ c*', [b('a ', { mark: 'em', inside: ['b'] }, ' c')]],
  ['~velho~', [{ mark: 's', inside: ['velho'] }]],
  ['2*3*4', ['2*3*4']],
  ['nome_do_arquivo', ['nome_do_arquivo']],
  ['ação*não*', ['ação*não*']],
  ['* solto *', ['* solto *']],
  ['`x*y*`', [{ mark: 'code', text: 'x*y*' }]],
  ['```a\nb```', [{ mark: 'code', text: 'a\nb' }]],
  ['*duas\nlinhas*', ['*duas\nlinhas*']],
  ['veja https://a.com/b_c_d?x=1.', ['veja ', { mark: 'link', href: 'https://a.com/b_c_d?x=1' }, '.']],
  ['*https://a.com*', [b({ mark: 'link', href: 'https://a.com' })]],
  ['javascript:alert(1)', ['javascript:alert(1)']],
  ['<b onclick=x>oi</b>', ['<b onclick=x>oi</b>']],
])('%s', (text, expected) => {
  expect(pieces(text)).toEqual(expected)
})

const plain = (all: Piece[]): string =>
  all
    .map((piece) => {
      if (typeof piece === 'string') return piece
      if (piece.mark === 'link') return piece.href
      return piece.mark === 'code' ? piece.text : plain(piece.inside)
    })
    .join('')

test('no character is lost but the marks', () => {
  const text = fc.string({ unit: fc.constantFrom('*', '_', '~', '`', ' ', 'a', 'ç', '\n', 'https://x.y', '<', '"') })
  fc.assert(
    fc.property(text, (value) => {
      const bare = (s: string) => s.replace(/[*_~`]/g, '')
      expect(bare(plain(pieces(value)))).toBe(bare(value))
    }),
  )
})
