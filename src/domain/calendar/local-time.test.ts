import { expect, test } from 'vitest'
import { isoDay, localTime, midnightAfter, offsetMinutes } from './local-time.ts'

test.each([
  ['America/Sao_Paulo', '2026-11-20T12:00Z', -180],
  ['America/Sao_Paulo', '2018-12-01T12:00Z', -120],
  ['America/Manaus', '2026-11-20T12:00Z', -240],
  ['America/Rio_Branco', '2026-11-20T12:00Z', -300],
  ['America/Noronha', '2026-11-20T12:00Z', -120],
  ['Asia/Kolkata', '2026-11-20T12:00Z', 330],
  ['UTC', '2026-11-20T12:00Z', 0],
])('%s at %s is %i minutes ahead', (zone, moment, expected) => {
  expect(offsetMinutes(zone, Date.parse(moment))).toBe(expected)
})

test('an unknown zone is an error', () => {
  expect(() => offsetMinutes('America/Campinas', 0)).toThrow(RangeError)
})

test('the wall clock west of UTC may still show yesterday', () => {
  const time = localTime(Date.UTC(2026, 0, 1, 1, 30), -180)
  expect(time).toEqual({ year: 2025, month: 12, day: 31, weekday: 3, hour: 22, minute: 30 })
  expect(isoDay(time)).toBe('2025-12-31')
  expect(midnightAfter(time, 1)).toEqual({ year: 2026, month: 1, day: 1, weekday: 4, hour: 0, minute: 0 })
})
