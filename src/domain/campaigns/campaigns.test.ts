import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localTime, offsetMinutes } from '../calendar/local-time.ts'
import { mayBeginAt, restedPace, takeTurn } from '../connections/pace.ts'
import { outreachOf, planOf } from './care.ts'
import { obstacleTo } from './eligibility.ts'
import { hoursProblems, type SendingHours, sendingTime } from './hours.ts'
import { delayRange, nextDelay, plannedEnd, plannedHours } from './pacing.ts'
import { DISPATCH_MOVES, DISPATCH_STATUSES, mayMove } from './states.ts'
import { shareOf, variantOf, winnerOf } from './variants.ts'

const ZONE = 'America/Sao_Paulo'
const START = Date.UTC(2026, 0, 1)
const HOUR = 3_600_000

const time = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
})
const anyHours: fc.Arbitrary<SendingHours> = fc
  .record({
    windowStart: time,
    windowEnd: fc.oneof(time, fc.constant('24:00')),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    skipsHolidays: fc.boolean(),
  })
  .filter((hours) => Object.keys(hoursProblems(hours)).length === 0)

// An end at 23:59 means midnight.
const isMidnight = (end: string) => ['23:59', '24:00'].includes(end)

test('whatever the rules, clocks and holidays, what leaves keeps its interval, its hours and its days', () => {
  fc.assert(
    fc.property(
      anyHours,
      fc.array(fc.integer({ min: 0, max: 364 }), { maxLength: 20 }),
      fc.integer({ min: 5, max: 3600 }),
      fc.integer({ min: 0, max: 364 * 24 * 60 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
      (hours, days, delay, startMinute, jitters) => {
        const holidays = days.map((day) => ({
          date: new Date(START + day * 24 * HOUR).toISOString().slice(0, 10),
          description: '',
          active: true,
        }))
        const open = sendingTime(hours, { zone: ZONE, holidays })
        let at: number | null = open.after(START + startMinute * 60_000, 0)
        for (const jitter of jitters) {
          if (at === null) return
          const { weekday, hour, minute, ...date } = localTime(at, offsetMinutes(ZONE, at))
          const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
          expect(hours.weekdays).toContain(weekday)
          expect(clock >= hours.windowStart && (clock < hours.windowEnd || isMidnight(hours.windowEnd))).toBe(true)
          const day = `${date.year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`
          if (hours.skipsHolidays) expect(holidays.map((one) => one.date)).not.toContain(day)
          const next = open.after(at + nextDelay(delay, jitter), 0)
          if (next !== null) expect(next - at).toBeGreaterThanOrEqual(delayRange(delay)[0])
          at = next
        }
      },
    ),
    { numRuns: 200 },
  )
})

test('no day has more conversations begun by dispatches than its limit, and no hour more than its pace', () => {
  const pace = { perMinute: 60, begunPerHour: 10 }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 * 60_000 }), { maxLength: 300 }), (gaps) => {
      let state = restedPace(pace, START)
      let now = START
      const begun: number[] = []
      for (const gap of gaps) {
        now += gap
        if (mayBeginAt(state, pace, { now, perDay: 20, written: 0 }) > now) continue
        const turn = takeTurn(state, pace, now, true)
        if (!('after' in turn)) continue
        state = turn.after
        begun.push(now)
      }
      const most = (span: number) =>
        Math.max(0, ...begun.map((from) => begun.filter((at) => at >= from && at < from + span).length))
      expect(most(HOUR)).toBeLessThanOrEqual(10)
      expect(most(24 * HOUR)).toBeLessThanOrEqual(20)
    }),
    { numRuns: 200 },
  )
})

describe('who is left out', () => {
  const fine = {
    ...{ isGone: false, isGroup: false, isBlocked: false, isRevoked: false, isUnasked: false },
    ...{ isReachable: null, recent: 0, isInConversation: false },
  }
  const rules = { perWeek: 2, skipsOpen: true, needsReach: true, takesGroups: false }
  test.each([
    [{}, {}, null],
    [{ isGone: true }, {}, 'gone'],
    [{ isGroup: true }, {}, 'group'],
    [{ isBlocked: true, isRevoked: true }, {}, 'blocked'],
    [{ isRevoked: true }, {}, 'revoked'],
    [{ isUnasked: true }, {}, 'unasked'],
    [{ isReachable: false }, {}, 'unreachable'],
    [{ isReachable: false }, { needsReach: false }, null],
    [{ recent: 2 }, {}, 'capped'],
    [{ recent: 9 }, { perWeek: null }, null],
    [{ isInConversation: true }, {}, 'conversation'],
    [{ isInConversation: true }, { skipsOpen: false }, null],
  ])('%j with %j: %s', (facts, changed, reason) => {
    expect(obstacleTo({ ...fine, ...facts }, { ...rules, ...changed })).toBe(reason)
  })
})

test('a message is always the same for a recipient, and the parts come out as they were weighed', () => {
  const got = Array.from({ length: 6000 }, () => variantOf(crypto.randomUUID(), [2, 1, 0]))
  const count = (variant: number) => got.filter((one) => one === variant).length
  expect([count(0) > 3700, count(1) > 1700, count(2)]).toEqual([true, true, 0])
  expect(variantOf('5b0f', [1, 1, 1])).toBe(variantOf('5b0f', [1, 1, 1]))
})

test('there is no winner until the intervals part', () => {
  expect(winnerOf([shareOf(12, 100), shareOf(18, 100)])).toBeNull()
  expect(winnerOf([shareOf(120, 1000), shareOf(180, 1000)])).toBe(1)
  expect(shareOf(0, 0)).toEqual({ share: 0, low: 0, high: 1 })
})

test('a number stops by its refusals and stop words, and a hasty plan is refused with one that is not', () => {
  const facts = {
    ...{ isLinked: true, age: 30, quality: null, status: '', firstContactsToday: 0, firstContactsLimit: 20 },
    outcomes: { sent: 100, refused: 0, unknown: 0, stops: 0, replied: 5 },
  }
  const after = (outcomes: object) => outreachOf({ ...facts, outcomes: { ...facts.outcomes, ...outcomes } }).level
  expect(outreachOf(facts)).toEqual({ level: 'good', reasons: [] })
  expect([after({ refused: 6 }), after({ stops: 4 })]).toEqual(['stop', 'stop'])
  expect([after({ refused: 5, stops: 3 }), after({ unknown: 3 }), after({ replied: 1 })]).toEqual([
    'warn',
    'warn',
    'warn',
  ])
  expect(outreachOf({ ...facts, age: 3 }).level).toBe('warn')
  expect(outreachOf({ ...facts, quality: 'RED' }).level).toBe('stop')
  expect(planOf({ delay: 1 }, facts)).toMatchObject({ level: 'stop', delay: 20 })
  expect(planOf({ delay: 20 }, facts)).toMatchObject({ level: 'good', delay: null })
})

test('the time between two messages stays between the bounds that were set', () => {
  expect([nextDelay(22, 0, 7), nextDelay(22, 1, 7), nextDelay(20, 0), nextDelay(20, 1)]).toEqual([
    15e3, 29e3, 14e3, 26e3,
  ])
})

test('a plan ends when its last message leaves, and its hours hold as many as there are', () => {
  const hours = { windowStart: '08:00', windowEnd: '20:00', weekdays: [0, 1, 2, 3, 4, 5, 6], skipsHolidays: false }
  const open = sendingTime(hours, { zone: 'UTC', holidays: [] })
  const from = Date.UTC(2026, 10, 18, 19)
  expect(new Date(plannedEnd(open, from, 361, 20)!).toISOString()).toBe('2026-11-19T09:00:00.000Z')
  const planned = plannedHours(open, { from, count: 361, seconds: 20, most: 100 })
  expect(planned.filter(({ count }) => count > 0).map(({ count }) => count)).toEqual([180, 180, 1])
})

test('a campaign moves as its table says, and none moves out of its end', () => {
  expect(DISPATCH_STATUSES.filter((status) => mayMove(status, 'cancel'))).toEqual(['scheduled', 'paused'])
  for (const move of Object.keys(DISPATCH_MOVES) as (keyof typeof DISPATCH_MOVES)[])
    expect(mayMove('finished', move)).toBe(false)
})
