import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Previewed, previewOf } from './preview.ts'
import { MESSAGE_TYPES, typeOfMime } from './types.ts'

test.each<[string, Previewed, string]>([
  ['text in one line', { type: 'text', body: ' Bom dia!\n\nTudo bem? ' }, 'Bom dia! Tudo bem?'],
  ['empty text', { type: 'text', body: '' }, 'Mensagem'],
  ['voice note', { type: 'audio', body: '' }, 'Áudio'],
  ['picture', { type: 'image', body: '', mediaName: 'IMG_0001.jpg' }, 'Imagem'],
  ['picture with caption', { type: 'image', body: 'a porta' }, 'Imagem: a porta'],
  [
    'document by its name',
    { type: 'document', body: '', mediaName: 'boleto março.pdf' },
    'Documento: boleto março.pdf',
  ],
  ['document by its caption', { type: 'document', body: 'segue', mediaName: 'x.pdf' }, 'Documento: segue'],
  ['document without either', { type: 'document', body: '', mediaName: null }, 'Documento'],
  ['internal note', { type: 'note', body: 'ligar amanhã' }, 'ligar amanhã'],
  ['deleted', { type: 'text', body: 'segredo', isDeleted: true }, 'Mensagem apagada'],
])('%s', (_name, message, expected) => {
  expect(previewOf(message)).toBe(expected)
})

test('long text ends in an ellipsis and never cuts a character in two', () => {
  expect(previewOf({ type: 'text', body: '😀'.repeat(300) })).toBe(`${'😀'.repeat(199)}…`)
})

test('any message gives one non-empty line of at most 200 characters', () => {
  const message = fc.record({
    type: fc.constantFrom(...MESSAGE_TYPES),
    body: fc.string({ unit: 'binary', maxLength: 400 }),
    mediaName: fc.option(fc.string()),
    isDeleted: fc.boolean(),
  })
  fc.assert(
    fc.property(message, (value) => {
      const preview = previewOf(value)
      expect(preview).not.toMatch(/[\r\n\t]/)
      expect(preview.length).toBeGreaterThan(0)
      expect(Array.from(preview).length).toBeLessThanOrEqual(200)
    }),
  )
})

test.each([
  ['image/jpeg', 'image'],
  ['image/svg+xml', 'document'],
  ['video/mp4', 'video'],
  ['audio/ogg; codecs=opus', 'audio'],
  ['application/pdf', 'document'],
  ['', 'document'],
])('%s travels as %s', (mime, type) => {
  expect(typeOfMime(mime)).toBe(type)
})
