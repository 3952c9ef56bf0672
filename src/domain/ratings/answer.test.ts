import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswer } from './answer.ts'
import { USUAL_RATINGS } from './question.ts'

const labels = USUAL_RATINGS.map(({ label }) => label)
const read = (text: string) => readAnswer(text, labels)

describe('a rating', () => {
  test.each<[string, number]>([
    ['0', 0],
    ['5', 5],
    ['  4  ', 4],
    ['3.', 3],
    ['5!!!', 5],
    ['*5*', 5],
    ['(2)', 2],
    ['5️⃣', 5],
    ['0️⃣', 0],
    ['５', 5],
    ['⑤', 5],
    ['nota 5', 5],
    ['Nota: 4', 4],
    ['NOTA 3!', 3],
    ['minha nota é 2', 2],
    ['dou nota 5', 5],
    ['Eu dou 4', 4],
    ['acho que 3', 3],
    ['5 com certeza', 5],
    ['5 estrelas', 5],
    ['1 estrela', 1],
    ['4 pontos', 4],
    ['5/5', 5],
    ['4 de 5', 4],
    ['nota 0 de 5', 0],
    ['cinco', 5],
    ['Três', 3],
    ['duas estrelas', 2],
    ['zero', 0],
    ['⭐⭐⭐⭐⭐', 5],
    ['★★★☆☆', 3],
    ['⭐ ⭐', 2],
    ['Incrível', 5],
    ['incrivel!', 5],
    ['muito bom', 3],
    ['RUIM', 0],
    ['5 - Incrível', 5],
    ['3 - Muito Bom', 3],
    ['1) Regular', 1],
    ['4 excelente', 4],
    ['5 obrigada', 5],
    ['5, muito bom', 5],
    ['5 ótimo atendimento', 5],
    ['5 ótimo atendimento, obrigada!', 5],
    ['Nota 5! Parabéns', 5],
    ['5 👏👏', 5],
    ['⭐⭐⭐⭐⭐ top', 5],
    ['Cinco, adorei', 5],
    ['5.0', 5],
    ['5,0', 5],
    ['4,00', 4],
    ['de 0 a 5 dou 5', 5],
    ['5+', 5],
    ['atendimento excelente, nota 5', 5],
    ['Muito bom! 5', 5],
    ['Boa tarde, 4', 4],
    ['1, péssimo, demorou demais', 1],
    ['0 não gostei do atendimento', 0],
    ['5 - o Pedro foi muito atencioso', 5],
    ['5! A Juliana é ótima, sempre resolve tudo com rapidez e educação', 5],
    ['*Sol Ltda:*\n5', 5],
    ['O atendimento foi bom mas demorou muito para responder, nota 3', 3],
  ])('%j is %i', (text, rating) => {
    expect(read(text)).toEqual({ kind: 'rating', rating })
  })
})

describe('an attempt', () => {
  test.each([
    '6',
    '10',
    'nota 9',
    '-5',
    '4,5',
    '7 estrelas',
    '05',
    '⭐⭐⭐⭐⭐⭐',
    'ok',
    'Obrigado!',
    'ótimo',
    '👍',
    '😀😀',
    'kkkk',
    'dez',
    '...x',
  ])('%j', (text) => {
    expect(read(text)).toEqual({ kind: 'attempt' })
  })
})

describe('something else', () => {
  test.each([
    '',
    '   ',
    '?',
    'Oi',
    'Olá!',
    'Bom dia',
    'muito obrigado',
    'preciso de outra coisa',
    'quero cancelar',
    'pedido 12345',
    'pedido 5',
    '12345',
    '11987654321',
    'https://loja.com.br',
    'ana@loja.com.br',
    'boleto?',
    '5?',
    '5 caixas de leite',
    'são 3 pessoas e 2 crianças',
    '3 - Incrível',
    '5 5',
    '5, preciso da nota fiscal',
    '5, e quando chega',
    '5 obrigada, quero mais 2',
    '5, cadê meu pedido',
    '10 pizzas ótimas',
    'quero 5 ótimos',
  ])('%j', (text) => {
    expect(read(text)).toEqual({ kind: 'other' })
  })
})

test('names that two ratings share name none of them', () => {
  expect(readAnswer('bom', ['Ruim', 'Bom', 'Bom', 'Bom', 'Ótimo', 'Top'])).toEqual({ kind: 'attempt' })
})

test('whatever is written, a rating is one of the six, and what is very long is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const reading = read(text)
      if (reading.kind === 'rating') expect([0, 1, 2, 3, 4, 5]).toContain(reading.rating)
      if (text.length > 300) expect(reading.kind).toBe('other')
    }),
  )
})
