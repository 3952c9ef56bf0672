import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson, readOutside } from './outside.ts'
import { listOrOne, record } from './outside-fields.ts'

const call = z.looseObject({
  event: z.string().optional(),
  messages: z.array(z.looseObject({ id: z.string(), at: z.number().optional() })).optional(),
  about: z.looseObject({ name: z.string().optional() }).optional(),
})

const cases: readonly (readonly [name: string, given: unknown, data: unknown, wrong: readonly string[]])[] = [
  ['what fits', { event: 'a', messages: [{ id: '1', at: 2 }] }, { event: 'a', messages: [{ id: '1', at: 2 }] }, []],
  [
    'null is absent',
    { event: null, about: null, messages: [null, { id: '1', at: null }] },
    { messages: [{ id: '1' }] },
    [],
  ],
  ['unknown keys stay', { more: { words: 'Olá' } }, { more: { words: 'Olá' } }, []],
  ['a wrong type is dropped', { event: ['a'], about: { name: 5 } }, { about: {} }, ['event', 'about.name']],
  [
    'of a list, the one that does not fit',
    { messages: [{ id: ['x'] }, { at: 1 }, { id: '2', at: 'soon' }, { id: '3' }] },
    { messages: [{ id: '2' }, { id: '3' }] },
    ['messages.0.id', 'messages.1', 'messages.2.at', 'messages.0'],
  ],
  ['a list that is none', { messages: 'no', event: 'a' }, { event: 'a' }, ['messages']],
]

test.each(cases)('reads leniently: %s', (_, given, data, wrong) => {
  expect(readOutside(call, given)).toEqual({ data, wrong })
})

test('the only item of a list, written without the list, loses what does not fit of it, and nothing else', () => {
  const item = record({ id: z.string().min(1), quoted: z.string().min(1), at: z.number(), text: z.string() })
  const told = record({ name: z.string(), items: listOrOne(item) })
  const given = { name: 'loja', items: { id: '', quoted: '', at: 'soon', text: 'Oi' } }
  expect(readOutside(told, given)).toEqual({ data: { name: 'loja', items: [{ text: 'Oi' }] }, wrong: ['items.0.at'] })
  const strict = record({ name: z.string(), items: listOrOne(z.looseObject({ id: z.string(), at: z.number() })) })
  expect(readOutside(strict, { name: 'loja', items: { at: 'soon' } })).toEqual({
    ...{ data: { name: 'loja' }, wrong: ['items'] },
  })
})

test.each([[null], [undefined], [5], ['text'], [[]]])('nothing is left of %j', (given) => {
  expect(readOutside(call, given)).toBeNull()
})

test('what lies too deep is dropped, and nothing overflows', () => {
  const deep = parseJson(`{"event":"a","about":${'{"x":'.repeat(50_000)}1${'}'.repeat(50_000)}}`)
  expect(readOutside(call, deep)?.data.event).toBe('a')
})

test('a key named __proto__ changes nothing', () => {
  const read = readOutside(call, parseJson('{"event":"a","__proto__":{"event":"b"}}'))
  expect(read?.data.event).toBe('a')
  expect(Object.getPrototypeOf(read?.data)).toBe(Object.prototype)
})
