import { expect, test } from 'vitest'
import { isOver, remoteIdOf, retryAfter, spanProblem } from './events.ts'

const clock = { now: Date.parse('2026-11-30T15:00Z'), today: '2026-11-30' }
const hours = (start: string, end: string) =>
  ({ isAllDay: false, start: Date.parse(start), end: Date.parse(end) }) as const
const days = (firstDay: string, lastDay: string) => ({ isAllDay: true, firstDay, lastDay }) as const

test.each([
  [hours('2026-11-30T15:00Z', '2026-11-30T16:00Z'), null],
  [hours('2026-11-30T14:50Z', '2026-11-30T16:00Z'), 'start'],
  [hours('2026-12-01T10:00Z', '2026-12-01T10:00Z'), 'end'],
  [hours('2026-12-01T10:00Z', '2028-12-01T10:00Z'), 'end'],
  [days('2026-11-30', '2026-11-30'), null],
  [days('2026-11-29', '2026-12-02'), 'start'],
  [days('2026-12-02', '2026-12-01'), 'end'],
])('%j is wrong at %s', (span, field) => {
  expect(spanProblem(span, clock)?.field ?? null).toBe(field)
})

test('an event is over once its last moment, or its last day, is', () => {
  expect(isOver(hours('2026-11-30T13:00Z', '2026-11-30T14:59Z'), clock)).toBe(true)
  expect(isOver(hours('2026-11-30T13:00Z', '2026-11-30T15:01Z'), clock)).toBe(false)
  expect(isOver(days('2026-11-28', '2026-11-29'), clock)).toBe(true)
  expect(isOver(days('2026-11-28', '2026-11-30'), clock)).toBe(false)
})

test('what a provider calls an event is the same for the same, in its letters', () => {
  const id = '0194aaaa-0000-7000-8000-00000000000a'
  expect(remoteIdOf(id)).toBe(remoteIdOf(id))
  expect([remoteIdOf(id), remoteIdOf(id, 2)].every((one) => /^[a-v0-9]{5,1024}$/.test(one))).toBe(true)
  expect(remoteIdOf(id, 2)).not.toBe(remoteIdOf(id))
})

test('tries wait longer each time, an hour at most', () => {
  expect([0, 1, 5, 6, 1000].map(retryAfter)).toEqual([60_000, 120_000, 1_920_000, 3_600_000, 3_600_000])
})
