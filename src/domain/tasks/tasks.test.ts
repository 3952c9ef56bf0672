import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysOfSeries, logType, MOST_TIMES, openState, RECURRENCES, storedState } from './tasks.ts'

test.each([
  ['2026-11-29', 1, 5, ['2026-11-29']],
  ['2026-12-29', 7, 2, ['2026-12-29', '2027-01-05']],
  ['2028-02-01', 30, 3, ['2028-02-01', '2028-03-02', '2028-04-01']],
  ['2027-01-31', 90, 2, ['2027-01-31', '2027-05-01']],
])('from %s every %i days, %i times', (day, recurrence, times, days) =>
  expect(daysOfSeries(day, recurrence, times)).toEqual(days),
)

test('a series has as many days as asked for, each later than the one before', () => {
  const day = fc.date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(day, fc.constantFrom(...RECURRENCES), fc.integer({ min: 1, max: MOST_TIMES }), (from, every, times) => {
      const days = daysOfSeries(from.toISOString().slice(0, 10), every, times)
      expect(days).toHaveLength(every === 1 ? 1 : times)
      expect(days).toEqual([...new Set(days)].sort())
    }),
  )
})

test('what is open is delayed after its day, and pending again on another one', () => {
  expect([openState('2026-11-28', '2026-11-29'), openState('2026-11-29', '2026-11-29')]).toEqual(['delayed', 'pending'])
  expect(storedState('pending', '2026-11-28', '2026-11-29')).toBe('delayed')
  expect(storedState('delayed', '2026-11-30', '2026-11-29')).toBe('pending')
  expect(storedState('finished', '2026-11-28', '2026-11-29')).toBe('finished')
  expect([logType('delayed', 'finished'), logType('finished', 'pending'), logType('pending', 'delayed')]).toEqual([
    ...['finished', 'reopened', 'changed'],
  ])
})
