import { describe, expect, test } from 'vitest'
import { hasLetter, termsIn } from './terms.ts'
import { greetingFor, isAsWished, summaryOf } from './tools.ts'

const found = (text: string, ...words: string[]) =>
  termsIn(
    text,
    words.map((value) => ({ value })),
  ).map(({ value }) => value)

describe('forbidden words', () => {
  test.each([
    ['Compre JÁ!', 'ja', true],
    ['compre jaca', 'ja', false],
    ['que droga...', 'Droga', true],
    ['drogaria', 'droga', false],
    ['link: bit.ly/x', 'bit.ly', true],
    ['ganhe  dinheiro,fácil', 'dinheiro fácil', true],
    ['dinheiro', 'dinheiro fácil', false],
    ['promoção', 'promocao', true],
    ['promoc\u0327a\u0303o', 'promoção', true],
    ['', 'x', false],
    ['!!!', '!!!', false],
  ])('%j has %j: %j', (text, word, has) => {
    expect(found(text, word)).toEqual(has ? [word] : [])
  })

  test('a word without letters is none', () => {
    expect(['!?', ' ', 'a', '1'].map(hasLetter)).toEqual([false, false, true, true])
  })
})

describe('greetings', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `P${n + 1}`)
  test.each([
    [['Ana'], 'Oi, Ana! Este é o Bairro.'],
    [['Ana', 'Bia'], 'Oi, Ana e Bia! Este é o Bairro.'],
    [['Ana', 'Bia', 'Caio'], 'Oi, Ana, Bia e Caio! Este é o Bairro.'],
    [names(12), 'Oi, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10 e mais 2! Este é o Bairro.'],
  ])('%j', (who, said) => {
    expect(greetingFor('Oi, {{name}}! Este é o {{ group }}.', { names: who, group: 'Bairro' })).toBe(said)
  })

  test('what is no variable stays, and a name with braces is a name', () => {
    expect(greetingFor('{{outra}} {{name}} {{constructor}}', { names: ['{{group}}'], group: 'G' })).toBe(
      '{{outra}} {{group}} {{constructor}}',
    )
  })
})

test('what became of numbers', () => {
  expect(summaryOf('add', [])).toEqual({ state: 'done', reason: '' })
  expect(
    summaryOf('add', [
      { number: '5511', code: 200 },
      { number: '5512', code: 409 },
    ]),
  ).toMatchObject({ state: 'done' })
  expect(
    summaryOf('add', [
      { number: '5511', code: 200 },
      { number: '5512', code: 403 },
    ]),
  ).toEqual({
    state: 'partial',
    reason: '5512: só entra por convite',
  })
  expect(summaryOf('promote', [{ number: '5511', code: 500 }])).toEqual({
    state: 'failed',
    reason: '5511: recusado (500)',
  })
  expect(isAsWished('remove', 404)).toBe(true)
  expect(isAsWished('promote', 409)).toBe(false)
})
