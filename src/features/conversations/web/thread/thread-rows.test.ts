import { expect, test } from 'vitest'
import { messageRow } from './sample-message.ts'
import { firstNew, type LogEntry, threadRows } from './thread-rows.ts'

const minute = 60_000
const source = {
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

test('the divider stands before the first unread message of the contact', () => {
  const messages = [
    messageRow({ timestamp: 1 }),
    messageRow({ timestamp: 2 }),
    messageRow({ timestamp: 3, isNote: true, fromMe: true, status: 'sent' }),
    messageRow({ timestamp: 4 }),
  ]
  const newFrom = firstNew(messages, 2, undefined)
  expect(newFrom).toEqual({ id: messages[1]?.id, count: 2 })
  expect(threadRows({ ...source, messages, newFrom }).map((row) => row.kind)[2]).toBe('new')
  expect(firstNew(messages, 0, undefined)).toBeNull()
  expect(firstNew(messages, 7, undefined)).toEqual({ id: messages[0]?.id, count: 7 })
})

test('for who has read before, the divider stands behind what was read, whatever the team has left unread', () => {
  const messages = [1, 2, 3, 4].map((seq) => messageRow({ timestamp: 5, seq, fromMe: seq === 3 }))
  expect(firstNew(messages, 9, { timestamp: 5, seq: 1 })).toEqual({ id: messages[1]?.id, count: 2 })
  expect(firstNew(messages, 0, { timestamp: 4, seq: 9 })).toEqual({ id: messages[0]?.id, count: 3 })
  expect(firstNew(messages, 9, { timestamp: 5, seq: 4 })).toBeNull()
})

test('a conversation begins before its first message, although the ticket was made a moment after it', () => {
  const messages = [messageRow({ timestamp: minute }), messageRow({ timestamp: 2 * minute })]
  const rows = threadRows({ ...source, messages, logs: [log(1, minute + 50, 'create'), log(2, minute + 60, 'open')] })
  expect(rows.map((row) => row.kind)).toEqual(['day', 'log', 'message', 'log', 'message'])
})
