import { expect, test } from 'vitest'
import { protocolOf, ticketOfProtocol } from './protocol.ts'

test.each([
  [Date.UTC(2026, 10, 20, 12), -180, '2026112042'],
  [Date.UTC(2026, 10, 20, 2, 59), -180, '2026111942'],
  [Date.UTC(2026, 0, 1, 3, 0), -180, '2026010142'],
  [Date.UTC(2026, 10, 20, 23), 120, '2026112142'],
])('ticket 42 created at %i, zone %i: %s', (createdAt, offset, expected) => {
  expect(protocolOf(42, createdAt, offset)).toBe(expected)
})

test.each([
  ['42', 42],
  ['2026112042', 42],
  ['2026.1120-42', 42],
  ['20261120', 20_261_120],
  ['9'.repeat(20), null],
  ['42a', null],
  ['', null],
])('“%s” numbers the ticket %s', (text, id) => {
  expect(ticketOfProtocol(text)).toBe(id)
})
