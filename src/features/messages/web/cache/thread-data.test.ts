import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ackOf, advance, MESSAGE_STATUSES, type MessageStatus } from '#domain/messages/status.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { type OutboxItem, withoutSent } from '../outbox/outbox-state.ts'
import { nextToSend } from '../outbox/sender.ts'
import { threadRows } from '../rows/thread-rows.ts'
import { messageRow } from '../thread/sample-message.ts'
import {
  adopt,
  applyEvent,
  beginsBehind,
  emptyThread,
  firstFrom,
  isAround,
  type ThreadData,
  type ThreadEvent,
  threadOf,
  withPage,
} from './thread-data.ts'

const sorted = (messages: readonly MessageRow[]) =>
  messages.toSorted((a, b) => a.timestamp - b.timestamp || a.seq - b.seq)

type Step =
  | { do: 'create'; minutes: number; fromMe: boolean; late: boolean }
  | { do: 'ack'; pick: number; status: MessageStatus }
  | { do: 'edit'; pick: number; body: string }
  | { do: 'delete'; pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    minutes: fc.nat(600),
    fromMe: fc.boolean(),
    late: fc.boolean(),
  }),
  fc.record({ do: fc.constant('ack' as const), pick: fc.nat(), status: fc.constantFrom(...MESSAGE_STATUSES) }),
  fc.record({ do: fc.constant('edit' as const), pick: fc.nat(), body: fc.string() }),
  fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }),
)

/** Model of a server with one conversation: its messages after a step, and the event of the step. */
function act(held: MessageRow[], { ...what }: Step, seq: number): { held: MessageRow[]; event: ThreadEvent | null } {
  if (what.do === 'create') {
    const newest = held.reduce((max, one) => Math.max(max, one.timestamp), 0)
    const timestamp = what.late ? what.minutes * 1000 : newest + what.minutes * 1000
    const message = messageRow({ seq, timestamp, fromMe: what.fromMe, status: what.fromMe ? 'pending' : 'received' })
    return { held: sorted([...held, message]), event: { type: 'create', payload: { message } } }
  }
  const known = held[what.pick % Math.max(1, held.length)]
  if (!known) return { held, event: null }
  const at = held.indexOf(known)
  if (what.do === 'ack') {
    const status = advance(known.status, what.status)
    const next = { ...known, status, ack: ackOf(status) }
    const payload = { id: known.id, ticketId: 1, status, ack: next.ack, errorCode: null, isLast: false }
    return { held: held.with(at, next), event: { type: 'ack', payload } }
  }
  const message =
    what.do === 'edit' ? { ...known, body: what.body, edition: 'sim' } : { ...known, isDeleted: true, body: '' }
  return { held: held.with(at, message), event: { type: 'update', payload: { message } } }
}

const newestPage = (held: readonly MessageRow[], size: number): ThreadData =>
  threadOf({
    messages: held.slice(-size),
    nextCursor: held.length > size ? 'older' : null,
    newerCursor: null,
  })

test('old state and events, some told twice, make the fresh state', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (past, future, size, twice) => {
        let held: MessageRow[] = []
        let seq = 0
        for (const one of past) held = act(held, one, ++seq).held
        let seen = newestPage(held, size)
        const first = seen.messages[0]
        for (const [index, one] of future.entries()) {
          const { held: next, event } = act(held, one, ++seq)
          held = next
          if (!event) continue
          seen = applyEvent(seen, event)
          if (twice[index]) expect(applyEvent(seen, event)).toEqual(seen)
        }
        const from = seen.older === null || !first ? 0 : held.findIndex((one) => one.id === first.id)
        expect(seen.messages).toEqual(held.slice(from))
      },
    ),
  )
})

test('pages before and after join without gap or double', () => {
  const held = Array.from({ length: 50 }, (_, index) => messageRow({ seq: index + 1, timestamp: (index >> 1) * 1000 }))
  let data = threadOf({ messages: held.slice(20, 30), nextCursor: '20', newerCursor: '30' })
  data = withPage(data, 'older', { messages: held.slice(0, 21), nextCursor: null, newerCursor: '21' })
  data = withPage(data, 'newer', { messages: held.slice(29), nextCursor: '29', newerCursor: null })
  expect(data).toEqual({ messages: held, older: null, newer: null, tickets: [] })
})

test('while older messages are on screen, a new one waits for its page', () => {
  const data: ThreadData = { messages: [messageRow({ seq: 1, timestamp: 1 })], older: null, newer: 'x', tickets: [] }
  const message = messageRow({ seq: 9, timestamp: 9 })
  expect(applyEvent(data, { type: 'create', payload: { message } })).toBe(data)
})

test('sending again is the one way back', () => {
  const message = messageRow({ fromMe: true, status: 'failed', errorCode: 'X' })
  const failed = threadOf({ messages: [message], nextCursor: null, newerCursor: null })
  const payload = { id: message.id, ticketId: 1, status: 'pending' as const, ack: 0, errorCode: null, isLast: true }
  expect(applyEvent(failed, { type: 'ack', payload }).messages[0]).toMatchObject({ status: 'pending', errorCode: null })
})

test('what was taken back stays so, whatever is told of it afterwards', () => {
  const message = messageRow({ body: 'Oi' })
  const data = threadOf({ messages: [message], nextCursor: null, newerCursor: null })
  const told = [{ ...message, isDeleted: true, body: '' }, message].map(
    (one) => ({ type: 'update', payload: { message: one } }) as const,
  )
  expect(told.reduce(applyEvent, data).messages[0]).toMatchObject({ isDeleted: true })
})

test('what is taken back before it left was never said; what was given up stands there', () => {
  const canceled = (sendAt: string | null) => {
    const message = messageRow({ fromMe: true, status: 'pending', sendAt })
    const data = threadOf({ messages: [message], nextCursor: null, newerCursor: null })
    const payload = { id: message.id, ticketId: 1, status: 'canceled' as const, ack: 0, errorCode: null, isLast: true }
    return applyEvent(data, { type: 'ack', payload }).messages.map(({ status }) => status)
  }
  expect(canceled('2026-01-01T12:00:05.000Z')).toEqual([])
  expect(canceled(null)).toEqual(['canceled'])
})

const item = (idFront: string, createdAt: number, more: Partial<OutboxItem> = {}): OutboxItem => ({
  idFront,
  ticketId: 1,
  userId: 1,
  userName: 'Ana',
  body: 'oi',
  isNote: false,
  quoted: null,
  file: null,
  createdAt,
  state: 'waiting',
  progress: null,
  error: null,
  ...more,
})

test('an optimistic bubble is reconciled once, whichever of answer and event comes first', () => {
  const source = { ticketId: 1, tickets: [], logs: [], newFrom: null, isWhole: true, dayOf: () => 'hoje' }
  const outbox = [item('front-1', 5)]
  const message = messageRow({ idFront: 'front-1', fromMe: true, status: 'pending', timestamp: 5 })
  const shown = (data: ThreadData) => threadRows({ ...source, messages: data.messages, outbox }).map((row) => row.key)
  const optimistic = shown(emptyThread)
  const viaEvent = applyEvent(emptyThread, { type: 'create', payload: { message } })
  const ticked = applyEvent(viaEvent, {
    type: 'ack',
    payload: { id: message.id, ticketId: 1, status: 'sent', ack: 1, errorCode: null, isLast: true },
  })
  expect(shown(viaEvent)).toEqual(optimistic)
  expect(adopt(ticked, [message])).toEqual(ticked)
  expect(shown(adopt(emptyThread, [message]))).toEqual(optimistic)
  expect(withoutSent(outbox, [message])).toEqual([])
})

test('each conversation sends in order; a refused message steps aside', () => {
  const items = [
    item('a', 2),
    item('b', 1, { state: 'sending' }),
    item('c', 4, { ticketId: 2 }),
    item('d', 3, { ticketId: 2, state: 'refused' }),
  ]
  expect(nextToSend(items, ({ ticketId }) => ticketId).map((one) => one.idFront)).toEqual(['c'])
})

test('a day is loaded when something before it and something of it is; its first message is the first from then on', () => {
  const messages = [10, 20, 30].map((timestamp) => messageRow({ timestamp }))
  const part = { ...emptyThread, messages, older: 'a', newer: 'b' }
  expect([9, 10, 11, 30, 31].map((at) => isAround(part, at))).toEqual([false, false, true, true, false])
  expect(isAround({ ...part, older: null, newer: null }, 99)).toBe(true)
  expect([5, 20, 21, 99].map((at) => firstFrom(messages, at)?.timestamp)).toEqual([10, 20, 30, 30])
})

test('what was not read begins before a page that holds nothing read, and words of others', () => {
  const page = [10, 20].map((timestamp) => messageRow({ timestamp, userId: timestamp === 20 ? 7 : null }))
  expect(beginsBehind(page, { timestamp: 9, seq: 0 }, 7)).toBe(true)
  expect(beginsBehind(page, { timestamp: 15, seq: 0 }, 7)).toBe(false)
  expect(beginsBehind(page.slice(1), { timestamp: 9, seq: 0 }, 7)).toBe(false)
})
