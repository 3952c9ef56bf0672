import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { does, FACTS, flowOf, node, talk, toQueue, when } from '#test/flow-steps.ts'
import { FRAME_LIMITS, interactiveProblems, rowsOf } from '../messages/interactive.ts'
import { askedBy } from './choices.ts'

const buttons = { max: 3, chars: 20 }
const list = { rows: 10, title: 24, description: 72, button: 20, section: 24 }
const BOTH = { buttons, list }

const many = (count: number) => Array.from({ length: count }, (_, n) => `Opção ${n + 1}`)
const LONG = 'Quero falar com alguém sobre o meu pedido atrasado'
const wayOf = (labels: readonly string[], channel: Parameters<typeof askedBy>[0] = BOTH, body = 'Escolha') => {
  const asked = askedBy(channel, body, labels)
  return asked.list ? 'list' : asked.buttons.length > 0 ? 'buttons' : 'numbers'
}

test.each([
  ['as many as there are buttons', many(3), BOTH, 'buttons'],
  ['more than there are buttons', many(4), BOTH, 'list'],
  ['as many as a list has rows', many(10), BOTH, 'list'],
  ['more than a list has rows', many(11), BOTH, 'numbers'],
  ['two, longer than a button', ['Segunda via da fatura', 'Outro assunto'], BOTH, 'list'],
  ['one as long as a button', ['12345678901234567890', 'b'], BOTH, 'buttons'],
  ['one as long as a row’s title', ['123456789012345678901234', 'b'], BOTH, 'list'],
  ['one that goes below its title', [LONG, 'b'], BOTH, 'list'],
  ['one as long as what is below a title', ['x'.repeat(72), 'b'], BOTH, 'list'],
  ['one longer than anything', ['x'.repeat(73), 'b'], BOTH, 'numbers'],
  ['two that begin alike', [`${LONG} hoje`, `${LONG} ontem`], BOTH, 'numbers'],
  ['two that are alike', ['Sim', 'sim '], BOTH, 'numbers'],
  ['an empty one among many', ['a', 'b', 'c', ''], BOTH, 'numbers'],
  ['none', [], BOTH, 'numbers'],
  ['few where there are lists alone', many(2), { buttons: null, list }, 'list'],
  ['few where there are buttons alone', many(3), { buttons, list: null }, 'buttons'],
  ['many where there are buttons alone', many(4), { buttons, list: null }, 'numbers'],
  ['any where there is neither', many(2), { buttons: null, list: null }, 'numbers'],
] as const)('%s', (_, labels, channel, expected) => {
  expect(wayOf(labels, channel)).toBe(expected)
})

test('a text that is longer than goes with buttons, or none, makes numbers', () => {
  expect(wayOf(many(2), BOTH, 'x'.repeat(1024))).toBe('buttons')
  expect(wayOf(many(2), BOTH, 'x'.repeat(1025))).toBe('numbers')
  expect(wayOf(many(5), BOTH, ' ')).toBe('numbers')
})

test('whatever the options are, the customer reads them whole, and the channel takes them', () => {
  const label = fc.oneof(fc.string({ maxLength: 90 }), fc.string({ unit: 'grapheme', maxLength: 40 }))
  fc.assert(
    fc.property(fc.string({ maxLength: 1100 }), fc.array(label, { maxLength: 12 }), (body, labels) => {
      const asked = askedBy(BOTH, body, labels)
      if (asked.list) {
        const data = { list: asked.list }
        expect(
          interactiveProblems(
            { ...BOTH, link: null, form: null, locationRequest: false },
            { type: 'list', body, data },
          ),
        ).toEqual({})
        expect(rowsOf(asked.list).map(({ title, description }) => description ?? title)).toEqual(labels)
        expect(rowsOf(asked.list).map(({ id }) => id)).toEqual(labels.map((_, n) => String(n + 1)))
      } else if (asked.buttons.length > 0) expect(asked.buttons).toEqual(labels)
      else for (const [n, one] of labels.entries()) expect(asked.body).toContain(`${n + 1} - ${one}`)
      if (asked.list || asked.buttons.length > 0) expect(asked.body.length).toBeLessThanOrEqual(FRAME_LIMITS.body)
    }),
  )
})

describe('the answer to a list', () => {
  const values = ['Vendas', 'Suporte', 'Financeiro', LONG, 'Pedido de {{name}}']
  const conditions = values.map((value, n) => when(n === 3 ? [LONG] : [n === 4 ? '5' : value], toQueue(n + 1)))
  const flow = flowOf([node('a', [does('MessageOptionsField', { message: 'Escolha', values })], conditions)])
  const facts = { channel: { ...FACTS.channel, list } }
  const { list: sent } = talk(flow, [], facts).effectsOf('send')[0]!
  const rows = rowsOf(sent!)

  test.each(values.map((_, n) => n))('is a row’s title, its number or its id, or the option written out: %i', (n) => {
    const { id, title, description = title } = rows[n]!
    for (const text of [title, description, id, `${id}.`, title.toUpperCase(), ` ${title} `])
      expect(talk(flow, [text], facts).ends[0]?.direction, text).toEqual({ to: 'queue', queueId: n + 1 })
  })

  test('a beginning that somebody writes is not the row', () => {
    expect(talk(flow, ['Quero falar com'], facts).ends).toEqual([])
    expect(talk(flow, ['Quero…'], facts).ends).toEqual([])
  })

  test('what is said again is a list again', () => {
    const again = talk(flow, ['?'], facts).effectsOf('send')
    expect(again.map((one) => one.list !== undefined)).toEqual([true, true])
  })

  test('is a number where the channel has no lists', () => {
    const [asked] = talk(flow, [], { channel: { ...FACTS.channel, list: null } }).texts
    expect(asked).toContain('5 - Pedido de Maria')
  })
})
