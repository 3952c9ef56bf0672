import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localTime, momentOf, offsetMinutes } from '../calendar/local-time.ts'
import { nextOccurrence } from './recurrence.ts'
import { isRecurrence } from './rule.ts'

const SAO_PAULO = 'America/Sao_Paulo'
const NEW_YORK = 'America/New_York'
const iso = (at: number | null) => at && new Date(at).toISOString().slice(0, 16)
const next = (rule: string, from: string, after = from, zone = SAO_PAULO) =>
  iso(nextOccurrence(rule, { from: Date.parse(`${from}Z`), after: Date.parse(`${after}Z`), zone }))

test.each([
  ['FREQ=DAILY', '2026-11-19T12:00', '2026-11-19T12:00', '2026-11-20T12:00'],
  ['FREQ=DAILY', '2026-11-19T12:00', '2026-11-22T15:00', '2026-11-23T12:00'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', '2026-11-20T12:00', '2026-11-20T12:00', '2026-11-23T12:00'],
  ['FREQ=WEEKLY;INTERVAL=2', '2026-11-19T12:00', '2026-11-19T12:00', '2026-12-03T12:00'],
  // A month without a 31st is left out.
  ['FREQ=MONTHLY', '2026-01-31T12:00', '2026-01-31T12:00', '2026-03-31T12:00'],
  ['FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27T12:00', '2026-11-27T12:00', '2026-12-25T12:00'],
  ['FREQ=DAILY;COUNT=2', '2026-11-19T12:00', '2026-11-19T12:00', '2026-11-20T12:00'],
  ['FREQ=DAILY;COUNT=2', '2026-11-19T12:00', '2026-11-20T12:00', null],
  ['FREQ=DAILY;UNTIL=20261120T235959', '2026-11-19T12:00', '2026-11-20T12:00', null],
  ['FREQ=YEARLY', '2026-11-19T12:00', '2026-11-19T12:00', '2027-11-19T12:00'],
  // 23:30 in São Paulo is the next day in UTC: days are the company's.
  ['FREQ=WEEKLY;BYDAY=TH', '2026-11-20T02:30', '2026-11-20T02:30', '2026-11-27T02:30'],
])('%s from %s after %s: %s', (rule, from, after, expected) => {
  expect(next(rule, from, after)).toBe(expected)
})

describe('where the clock is changed', () => {
  test('the time of day stays, the distance does not', () => {
    // New York puts the clock forward on 8 March 2026 and back on 1 November.
    expect(next('FREQ=DAILY', '2026-03-07T14:00', '2026-03-07T14:00', NEW_YORK)).toBe('2026-03-08T13:00')
    expect(next('FREQ=DAILY', '2026-10-31T13:00', '2026-10-31T13:00', NEW_YORK)).toBe('2026-11-01T14:00')
  })
  test('a time that is skipped comes after the gap, one that comes twice the first time', () => {
    expect(next('FREQ=DAILY', '2026-03-07T07:30', '2026-03-07T07:30', NEW_YORK)).toBe('2026-03-08T07:30')
    expect(next('FREQ=DAILY', '2026-10-31T05:30', '2026-10-31T05:30', NEW_YORK)).toBe('2026-11-01T05:30')
    expect(iso(momentOf(NEW_YORK, { year: 2026, month: 3, day: 8, hour: 2, minute: 30 }))).toBe('2026-03-08T07:30')
  })
  test('a moment is found again from what the clock shows, in any zone', () => {
    const zones = fc.constantFrom(SAO_PAULO, NEW_YORK, 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC')
    fc.assert(
      fc.property(zones, fc.integer({ min: 25_000_000, max: 32_000_000 }), (zone, minutes) => {
        const at = minutes * 60_000
        const shown = localTime(at, offsetMinutes(zone, at))
        const found = momentOf(zone, shown)
        expect(localTime(found, offsetMinutes(zone, found))).toEqual(shown)
        expect(found).toBeLessThanOrEqual(at)
      }),
    )
  })
})

test('every repetition that is permitted says within a moment when it comes next, or that it is over', () => {
  const interval = fc.integer({ min: 1, max: 11 }).map((n) => `;INTERVAL=${n}`)
  const end = fc.constantFrom('', ';COUNT=3', ';UNTIL=20261231')
  const rest = fc.constantFrom(
    'DAILY',
    'WEEKLY;BYDAY=SU',
    'WEEKLY;BYDAY=MO,FR',
    'MONTHLY;BYMONTHDAY=31',
    'MONTHLY;BYDAY=5FR',
    'MONTHLY;BYDAY=-1MO',
    'MONTHLY;BYMONTHDAY=-1',
  )
  fc.assert(
    fc.property(rest, interval, end, fc.integer({ min: 0, max: 365 }), (frequency, step, last, day) => {
      const rule = `FREQ=${frequency}${step}${last}`
      const from = Date.UTC(2026, 0, 1 + day, 12)
      const at = nextOccurrence(rule, { from, after: from, zone: SAO_PAULO })
      expect(isRecurrence(rule)).toBe(true)
      expect(at ?? from + 1).toBeGreaterThan(from)
    }),
  )
})

test.each([
  ['FREQ=DAILY', true],
  ['FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20270101', true],
  ['FREQ=MONTHLY;BYDAY=1MO', true],
  ['', false],
  ['FREQ=SECONDLY', false],
  ['FREQ=HOURLY;INTERVAL=1', false],
  ['FREQ=DAILY;INTERVAL=0', false],
  ['FREQ=DAILY;BYHOUR=1,2,3', false],
  // Rules without any occurrence, whose search would go on for thousands of years.
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=DAILY;INTERVAL=7;BYDAY=TU', false],
  ['FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30', false],
  ['FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31', false],
  ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=20', false],
  ['FREQ=constructor', false],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', false],
  ['FREQ=DAILY;FREQ=WEEKLY', false],
  ['FREQ=DAILY\nDTSTART:20260101T000000Z', false],
  ['RRULE:FREQ=DAILY', false],
  ['freq=daily', false],
  [`FREQ=WEEKLY;BYDAY=${'MO,'.repeat(500)}MO`, false],
])('%.60s is a repetition: %s', (rule, is) => {
  expect(isRecurrence(rule)).toBe(is)
})
