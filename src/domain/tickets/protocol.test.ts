import { expect, test } from 'vitest'
import { protocolOf } from './protocol.ts'

test.each([
  [Date.UTC(2026, 10, 20, 12), -180, '2026112042'],
  [Date.UTC(2026, 10, 20, 2, 59), -180, '2026111942'],
  [Date.UTC(2026, 0, 1, 3, 0), -180, '2026010142'],
  [Date.UTC(2026, 10, 20, 23), 120, '2026112142'],
])('ticket 42 created at %i, zone %i: %s', (createdAt, offset, expected) => {
  expect(protocolOf(42, createdAt, offset)).toBe(expected)
})
