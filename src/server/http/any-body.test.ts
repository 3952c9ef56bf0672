import { expect, test } from 'vitest'
import { AppError } from '#kit/errors.ts'
import { readAnyBody } from './any-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const FORM = 'application/x-www-form-urlencoded'

test.each<[string, string | undefined, unknown]>([
  ['{"output":"Olá"}', 'application/json', { output: 'Olá' }],
  ['{"output":"Olá"}', 'application/json; charset=utf-8', { output: 'Olá' }],
  ['{"output":"Olá"}', 'application/vnd.api+json', { output: 'Olá' }],
  ['{"output":"Olá"}', undefined, { output: 'Olá' }],
  ['{"output":"Olá"}', 'text/plain', { output: 'Olá' }],
  ['{"output":"Olá"}', FORM, { output: 'Olá' }],
  [' \n["um","dois"]', 'text/html', ['um', 'dois']],
  ['"Olá"', 'text/plain', 'Olá'],
  ['null', 'application/json', null],
  ['Seu pedido saiu.', 'text/plain', 'Seu pedido saiu.'],
  ['Seu pedido saiu.', 'application/json', 'Seu pedido saiu.'],
  ['Seu pedido saiu.', undefined, 'Seu pedido saiu.'],
  ['[Loja] Seu pedido saiu', 'text/plain; charset=utf-8', '[Loja] Seu pedido saiu'],
  ['"Pronto", disse ele', undefined, '"Pronto", disse ele'],
  ['output=Ol%C3%A1+Bia&sessionId=7', FORM, { output: 'Olá Bia', sessionId: '7' }],
  ['Total = R$ 10', FORM, 'Total = R$ 10'],
  ['Ol%C3%A1', FORM, 'Olá'],
  ['\uFEFFOlá', 'text/plain', 'Olá'],
  ['', 'text/plain', {}],
  ['  ', undefined, {}],
])('%j as %s is %j', (text, type, read) => {
  expect(readAnyBody(bytes(text), type)).toEqual(read)
})

test('text in another charset is decoded', () => {
  expect(readAnyBody(new Uint8Array([79, 108, 225]), 'text/plain; charset=ISO-8859-1')).toBe('Olá')
})

const failureOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error instanceof AppError ? [error.code, JSON.stringify(error.details)] : error
  }
}

test.each<[Uint8Array, string | undefined, string, RegExp]>([
  [bytes('{"output":"Olá\nBia"}'), 'application/json', 'ERR_VALIDATION', /JSON válido/],
  [bytes('{"output":'), FORM, 'ERR_VALIDATION', /JSON válido/],
  [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]), 'image/png', 'ERR_FILE_TYPE', /formulário/],
  [bytes('Olá'), 'text/plain; charset=unheard-of', 'ERR_FILE_TYPE', /texto/],
])('what cannot be read is refused with a sentence', (body, type, code, sentence) => {
  expect(failureOf(() => readAnyBody(body, type))).toEqual([code, expect.stringMatching(sentence)])
})
