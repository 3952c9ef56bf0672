import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ackOf,
  advance,
  isRetryable,
  MESSAGE_STATUSES,
  type MessageStatus,
  parseStatus,
  statusOfAck,
} from './status.ts'

test.each<[MessageStatus, MessageStatus, MessageStatus]>([
  ['pending', 'queued', 'queued'],
  ['queued', 'sent', 'sent'],
  ['sent', 'delivered', 'delivered'],
  ['delivered', 'read', 'read'],
  ['read', 'played', 'played'],
  ['read', 'delivered', 'read'],
  ['played', 'sent', 'played'],
  ['queued', 'failed', 'failed'],
  ['sent', 'failed', 'failed'],
  ['delivered', 'failed', 'delivered'],
  ['failed', 'delivered', 'delivered'],
  ['failed', 'sent', 'failed'],
  ['queued', 'uncertain', 'uncertain'],
  ['uncertain', 'sent', 'sent'],
  ['uncertain', 'queued', 'uncertain'],
  ['pending', 'canceled', 'canceled'],
  ['sent', 'canceled', 'sent'],
  ['canceled', 'sent', 'sent'],
  ['received', 'read', 'received'],
  ['pending', 'received', 'pending'],
])('%s, then %s → %s', (current, next, expected) => {
  expect(advance(current, next)).toBe(expected)
})

const status = fc.constantFrom(...MESSAGE_STATUSES)

test('receipts in any order and number end in the same status', () => {
  const receipts = fc
    .array(status, { maxLength: 8 })
    .chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2, maxLength: list.length * 2 }),
      ),
    )
  fc.assert(
    fc.property(receipts, ([once, shuffledTwice]) => {
      const start: MessageStatus = 'pending'
      expect(shuffledTwice.reduce(advance, start)).toBe(once.reduce(advance, start))
    }),
  )
})

describe('the wire', () => {
  test.each<[MessageStatus, number]>([
    ['failed', -1],
    ['pending', 0],
    ['queued', 0],
    ['uncertain', 0],
    ['canceled', 0],
    ['received', 0],
    ['sent', 1],
    ['delivered', 2],
    ['read', 3],
    ['played', 4],
  ])('%s is ack %i', (name, ack) => {
    expect(ackOf(name)).toBe(ack)
  })

  test.each([-1, 0, 1, 2, 3, 4])('ack %i comes back', (ack) => {
    expect(ackOf(statusOfAck(ack) ?? 'received')).toBe(ack)
  })

  test('an ack that nobody defines is no status', () => {
    expect(statusOfAck(5)).toBeNull()
    expect(statusOfAck(0.5)).toBeNull()
  })

  test('sended is sent; nonsense is nothing', () => {
    expect(parseStatus('sended')).toBe('sent')
    expect(parseStatus('read')).toBe('read')
    expect(parseStatus('toString')).toBeNull()
  })
})

test('only what may not have gone can be sent again', () => {
  expect(MESSAGE_STATUSES.filter(isRetryable)).toEqual(['canceled', 'uncertain', 'failed'])
})
