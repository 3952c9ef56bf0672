import type { MessageEntity } from 'grammy/types'
import { expect, test } from 'vitest'
import { formatted, marked } from './text.ts'

const of = (text: string, ...entities: [MessageEntity['type'], string, object?][]) =>
  marked(
    text,
    entities.map(
      ([type, part, more]) => ({ type, offset: text.indexOf(part), length: part.length, ...more }) as MessageEntity,
    ),
  )

test('entities become marks, where they can be read again', () => {
  expect(of('O pedido 4512 já saiu', ['bold', '4512'])).toBe('O pedido *4512* já saiu')
  expect(of('tudo junto aqui', ['bold', 'tudo junto'], ['italic', 'junto'])).toBe('*tudo _junto_* aqui')
  expect(of('um só', ['bold', 'um só'], ['italic', 'um só'])).toBe('*_um só_*')
  expect(of('risque isto', ['strikethrough', 'isto'])).toBe('risque ~isto~')
  expect(of('rode npm start', ['code', 'npm start'])).toBe('rode `npm start`')
  expect(of('a = 1\nb = 2', ['pre', 'a = 1\nb = 2'])).toBe('```a = 1\nb = 2```')
  expect(of('uma\nduas ', ['bold', 'uma\nduas '])).toBe('*uma*\n*duas* ')
  expect(of('veja aqui', ['text_link', 'aqui', { url: 'https://loja.example/x' }])).toBe(
    'veja aqui (https://loja.example/x)',
  )
  expect(of('https://a.example', ['text_link', 'https://a.example', { url: 'https://a.example' }])).toBe(
    'https://a.example',
  )
  // A mark within a word would be shown as a character.
  expect(of('meiapalavra', ['bold', 'palavra'])).toBe('meiapalavra')
  expect(of('2*3', ['bold', '2*3'])).toBe('2*3')
  expect(of('📦 saiu', ['bold', 'saiu'])).toBe('📦 *saiu*')
  expect(of('nada', ['underline', 'nada'])).toBe('nada')
})

test('marks become entities, and what is written stays', () => {
  expect(formatted('*Ana:*\nOlá, _João_ `x=1` ~não~')).toEqual({
    text: 'Ana:\nOlá, João x=1 não',
    entities: [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'italic', offset: 10, length: 4 },
      { type: 'code', offset: 15, length: 3 },
      { type: 'strikethrough', offset: 19, length: 3 },
    ],
  })
  expect(formatted('2*3*4 e nome_de_arquivo')).toEqual({ text: '2*3*4 e nome_de_arquivo', entities: [] })
  for (const text of ['*a _b_ c*', 'x ```\nbloco\n``` y'])
    expect(marked(...(Object.values(formatted(text)) as [string, MessageEntity[]]))).toBe(
      text.replace(/```\n?|\n```/g, '```'),
    )
})
