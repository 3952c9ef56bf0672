import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { VisitorMessage } from '#features/webchat/contract.ts'
import { draftItem, type Item, merge, rows, unread, withStatus } from './conversation.ts'

const message = (n: number, more: Partial<VisitorMessage> = {}): VisitorMessage => ({
  id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  idFront: null,
  fromVisitor: false,
  author: 'Ana',
  kind: 'text',
  body: `mensagem ${n}`,
  media: null,
  quoted: null,
  status: 'sent',
  deleted: false,
  edited: false,
  asksRating: false,
  forwarded: false,
  reactions: [],
  buttons: [],
  footer: '',
  timestamp: 1_700_000_000_000 + n * 1000,
  ...more,
})

test('a sent message takes the place of the one shown at once, wherever its answer and its event come first', () => {
  const draft = { ...draftItem('front-1', 'oi', 5, null), preview: 'blob:1' }
  const stored = message(1, { idFront: 'front-1', fromVisitor: true, body: 'oi' })
  const once = merge([draft], [stored])
  expect(once).toEqual([{ ...stored, local: null, preview: 'blob:1' }])
  expect(merge(once, [stored, stored])).toEqual(once)
})

test('what is not confirmed stays last, in the order of writing', () => {
  const items = merge([draftItem('a', '1', 1, null), draftItem('b', '2', 2, null)], [message(9)])
  expect(items.map((item) => item.id)).toEqual([message(9).id, 'a', 'b'])
})

test('any order and number of the same answers, ticks included, shows the same conversation', () => {
  const versions = fc
    .array(
      fc.record({ n: fc.integer({ min: 1, max: 6 }), status: fc.constantFrom('sent', 'delivered', 'read') } as const),
      { minLength: 1, maxLength: 12 },
    )
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
    )
  const see = (list: { n: number; status: Item['status'] }[]): Item[] =>
    list.reduce<Item[]>((items, { n, status }) => merge(items, [message(n, { status })]), [])
  fc.assert(
    fc.property(versions, ([list, shuffled]) => {
      expect(see(shuffled)).toEqual(see(list))
    }),
  )
})

test('ticks never go back, and only what the team wrote and nobody read is unread', () => {
  const items = merge([], [message(1, { status: 'read' }), message(2), message(3, { fromVisitor: true })])
  expect(withStatus(items, [message(1).id], 'delivered')[0]?.status).toBe('read')
  expect(unread(items).map((item) => item.id)).toEqual([message(2).id])
})

test('days are divided, and a side that goes on within five minutes is one group', () => {
  const day = 86_400_000
  const items = merge([], [message(1), message(2), message(400), message(401, { author: 'Bia' })])
  const later = merge(items, [message(500, { timestamp: message(1).timestamp + day })])
  expect(rows(later).map((row) => ('day' in row ? 'day' : row.continues))).toEqual([
    'day',
    false,
    true,
    false,
    false,
    'day',
    false,
  ])
})
