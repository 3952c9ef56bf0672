import { expect, test } from 'vitest'
import { ticketRow } from '#features/tickets/web/lists/sample-ticket.ts'
import { messageRow } from '../thread/sample-message.ts'
import { firstNew, type LogEntry, type Opening, openingRow, threadRows } from './thread-rows.ts'

const minute = 60_000
const source = {
  ticketId: 1,
  tickets: [],
  outbox: [],
  logs: [],
  newFrom: null,
  isWhole: true,
  dayOf: (at: number) => String(Math.floor(at / 86_400_000)),
}
const log = (id: number, at: number, type = 'open'): LogEntry => ({
  id,
  type,
  label: '',
  createdAt: new Date(at).toISOString(),
  user: null,
  queue: null,
  reason: null,
  until: null,
})

test('one author within ten minutes is a group; another author, a pause or a line in between opens the next', () => {
  const messages = [
    messageRow({ timestamp: 0 }),
    messageRow({ timestamp: minute }),
    messageRow({ timestamp: 2 * minute, fromMe: true, userId: 1, status: 'sent' }),
    messageRow({ timestamp: 3 * minute, fromMe: true, userId: 2, status: 'sent' }),
    messageRow({ timestamp: 30 * minute, fromMe: true, userId: 2, status: 'sent' }),
    messageRow({ timestamp: 32 * minute, fromMe: true, userId: 2, status: 'sent' }),
  ]
  const rows = threadRows({ ...source, messages, logs: [log(1, 31 * minute)] })
  expect(
    rows.map((row) => (row.kind === 'message' ? `${row.first ? '[' : ''}m${row.last ? ']' : ''}` : row.kind)),
  ).toEqual(['day', '[m', 'm]', '[m]', '[m]', '[m]', 'log', '[m]'])
})

test('pictures of one album stand in one bubble; what has words, a reaction or no file stands alone', () => {
  const file = {
    id: '',
    url: '',
    name: '',
    mime: 'image/png',
    size: 1,
    width: 1,
    height: 1,
    durationMs: null,
    waveform: null,
  }
  const part = (about: Parameters<typeof messageRow>[0] = {}) =>
    messageRow({ mediaType: 'image', file, albumId: 'a', body: '', timestamp: 0, ...about })
  const albums = (messages: ReturnType<typeof part>[]) =>
    threadRows({ ...source, messages }).flatMap((row) => (row.kind === 'message' ? (row.album?.length ?? 1) : []))
  expect(albums([part({ body: 'Veja' }), part(), part()])).toEqual([3])
  expect(albums([part(), part({ albumId: 'b' }), part({ albumId: 'b' }), part({ albumId: null })])).toEqual([1, 2, 1])
  expect(albums([part(), part({ body: 'Esta' }), part()])).toEqual([1, 2])
  expect(albums([part(), part({ reaction: '❤️' }), part({ file: null }), part({ isDeleted: true })])).toEqual([
    1, 1, 1, 1,
  ])
  expect(albums([part({ status: 'failed', fromMe: true }), part({ fromMe: true })])).toEqual([1, 1])
})

test('a new day has its heading and opens a group', () => {
  const at = 86_400_000
  const rows = threadRows({
    ...source,
    messages: [messageRow({ timestamp: at - 1 }), messageRow({ timestamp: at + 1 })],
  })
  expect(rows.map((row) => row.kind)).toEqual(['day', 'message', 'day', 'message'])
})

test('log lines before the loaded part wait for their page; opening a ticket is no event', () => {
  const messages = [messageRow({ timestamp: 10 * minute })]
  const logs = [log(1, minute), log(2, 11 * minute), log(3, 12 * minute, 'access')]
  expect(threadRows({ ...source, messages, logs, isWhole: false }).map((row) => row.kind)).toEqual([
    'day',
    'message',
    'log',
  ])
  expect(threadRows({ ...source, messages, logs }).map((row) => row.key)).toEqual([
    'day 0',
    'log 1',
    messages[0]?.id,
    'log 2',
  ])
})

const opened = (given: Partial<Opening>): Opening => ({
  ...{ position: undefined, unread: 0, last: { timestamp: Number.MAX_SAFE_INTEGER, seq: 0 } },
  ...given,
})

test('the divider stands before the first unread message of the contact', () => {
  const messages = [
    messageRow({ timestamp: 1 }),
    messageRow({ timestamp: 2 }),
    messageRow({ timestamp: 3, isNote: true, fromMe: true, status: 'sent' }),
    messageRow({ timestamp: 4 }),
  ]
  const newFrom = firstNew(messages, opened({ unread: 2 }), true)
  expect(newFrom).toEqual({ id: messages[1]?.id, count: 2 })
  expect(threadRows({ ...source, messages, newFrom }).map((row) => row.kind)[2]).toBe('new')
  expect(firstNew(messages, opened({}), true)).toBeNull()
  expect(firstNew(messages, opened({ unread: 7 }), true)).toEqual({ id: messages[0]?.id, count: 7 })
})

test('for who has read before, the divider stands behind what was read, whatever the team has left unread', () => {
  const messages = [1, 2, 3, 4].map((seq) => messageRow({ timestamp: 5, seq, fromMe: seq === 3 }))
  expect(firstNew(messages, opened({ unread: 9, position: { timestamp: 5, seq: 1 } }), false)).toEqual({
    id: messages[1]?.id,
    count: 2,
  })
  expect(firstNew(messages, opened({ position: { timestamp: 4, seq: 9 } }), true)).toEqual({
    id: messages[0]?.id,
    count: 3,
  })
  expect(firstNew(messages, opened({ unread: 9, position: { timestamp: 5, seq: 4 } }), false)).toBeNull()
})

test('the divider waits until its message is loaded, and is not moved by what comes after the conversation was opened', () => {
  const messages = [1, 2, 3].map((seq) => messageRow({ timestamp: 5, seq }))
  expect(firstNew(messages, opened({ position: { timestamp: 4, seq: 9 } }), false)).toBeNull()
  expect(firstNew(messages, opened({ unread: 4 }), false)).toBeNull()
  expect(firstNew(messages, opened({ unread: 1, last: { timestamp: 5, seq: 2 } }), false)).toEqual({
    id: messages[1]?.id,
    count: 1,
  })
  expect(firstNew(messages, opened({ position: { timestamp: 5, seq: 3 } }), false)).toBeNull()
  expect(firstNew(messages, opened({ position: { timestamp: 5, seq: 1 }, last: undefined }), false)?.count).toBeNull()
})

test('a conversation opens where what is new begins, with its day, else behind what was read, else at its end', () => {
  const messages = [1, 2, 3].map((day) => messageRow({ timestamp: day * 86_400_000, fromMe: true }))
  const newFrom = { id: messages[1]!.id, count: 2 }
  expect(openingRow(threadRows({ ...source, messages, newFrom }), opened({}))).toBe(2)
  const position = { timestamp: 2 * 86_400_000, seq: messages[1]!.seq }
  expect(openingRow(threadRows({ ...source, messages }), opened({ position, last: undefined }))).toBe(4)
  expect(openingRow(threadRows({ ...source, messages }), opened({ position }))).toBe(-1)
})

test('a conversation begins before its first message, although the ticket was made a moment after it', () => {
  const messages = [messageRow({ timestamp: minute }), messageRow({ timestamp: 2 * minute })]
  const rows = threadRows({ ...source, messages, logs: [log(1, minute + 50, 'create'), log(2, minute + 60, 'open')] })
  expect(rows.map((row) => row.kind)).toEqual(['day', 'log', 'message', 'log', 'message'])
})

test('messages of the contact’s other tickets stand behind a line each, and the open one’s log begins with its own', () => {
  const messages = [
    messageRow({ ticketId: 7, timestamp: minute }),
    messageRow({ ticketId: 8, timestamp: 2 * minute }),
    messageRow({ timestamp: 3 * minute }),
    messageRow({ ticketId: 8, timestamp: 4 * minute }),
  ]
  const past = (id: number) => ticketRow({ id })
  const logs = [log(1, 3 * minute + 50, 'create'), log(2, 5 * minute)]
  const rows = threadRows({ ...source, messages, logs, tickets: [past(7), past(8)] })
  expect(rows.map((row) => (row.kind === 'ticket' ? (row.ticket?.id ?? 'own') : row.kind))).toEqual([
    'day',
    7,
    'message',
    8,
    'message',
    'own',
    'log',
    'message',
    8,
    'message',
    'own',
    'log',
  ])
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  // The last message of one ticket and the first of the next are both the contact's, but not one group.
  const places = rows.flatMap((row) => (row.kind === 'message' ? [row.first && row.last] : []))
  expect(places).toEqual([true, true, true, true])
  const own = threadRows({ ...source, messages: messages.slice(2, 3), logs })
  expect(own.map((row) => row.kind)).toEqual(['day', 'log', 'message', 'log'])
})

test('a ticket in which nothing was said yet shows what was said before it', () => {
  const messages = [messageRow({ ticketId: 7, timestamp: minute })]
  const rows = threadRows({ ...source, messages, logs: [log(1, 2 * minute, 'create')] })
  expect(rows.map((row) => row.kind)).toEqual(['day', 'ticket', 'message', 'ticket', 'log'])
})
