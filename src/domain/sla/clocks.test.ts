import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breadth } from '#test/setup/breadth.ts'
import { type BusinessDay, type Holiday, isOpen, USUAL_WEEK } from '../calendar/business-hours.ts'
import { localTime, offsetMinutes } from '../calendar/local-time.ts'
import { type OpenHours, openTime } from '../calendar/open-time.ts'
import {
  advance,
  beginClocks,
  type Clocks,
  elapsed,
  policyFor,
  readClocks,
  SLA_CLOCKS,
  type SlaFacts,
  type SlaTargets,
} from './clocks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ZONE = 'America/Sao_Paulo'
/** A Monday, 09:00 in São Paulo. */
const MONDAY = Date.parse('2026-03-02T09:00:00-03:00')
const always = openTime({ week: [], holidays: [], zone: ZONE })
const usual = openTime({ week: USUAL_WEEK, holidays: [], zone: ZONE })
const targets = (rest: Partial<SlaTargets> = {}): SlaTargets => ({
  ...{ firstMinutes: null, nextMinutes: null, solutionMinutes: null, warnPercent: 80 },
  ...rest,
})
const facts = (rest: Partial<SlaFacts> = {}): SlaFacts => ({
  ...{ isLive: true, isPaused: false, isByBot: false, queueId: null, waitingSince: null, isAnswered: false },
  ...rest,
})
const at = (clock: string) => Date.parse(`2026-03-0${clock}:00-03:00`)

describe('open time', () => {
  test.each([
    ['a morning', '2T09:00', '2T10:30', 90],
    ['over lunch', '2T11:30', '2T14:30', 60],
    ['over a night', '2T17:00', '3T09:00', 120],
    ['a night alone', '2T19:00', '3T07:00', 0],
    ['backwards', '2T12:00', '2T11:00', 0],
  ])('%s, from %s to %s: %d minutes', (_, from, to, minutes) => {
    expect(usual.between(at(from), at(to))).toBe(minutes * MINUTE)
  })
  test('goes on after lunch, after a night, and over a weekend and a holiday', () => {
    expect(usual.after(at('2T11:30'), 60 * MINUTE)).toBe(at('2T14:30'))
    expect(usual.after(at('2T11:30'), 30 * MINUTE)).toBe(at('2T12:00'))
    const holiday = openTime({
      week: USUAL_WEEK,
      zone: ZONE,
      holidays: [{ date: '2026-03-09', description: '', active: true }],
    })
    // Friday 17:30 and an hour more: the Tuesday after the weekend and the holiday.
    expect(holiday.after(at('6T17:30'), HOUR)).toBe(Date.parse('2026-03-10T08:30:00-03:00'))
    const never = USUAL_WEEK.map((day) => ({ ...day, type: 'C' as const }))
    expect(openTime({ week: never, holidays: [], zone: ZONE }).after(MONDAY, 1)).toBe(null)
  })
})

describe('clocks', () => {
  const timeOf = () => usual
  const read = (clocks: Clocks, promised: SlaTargets, now: number) => readClocks(clocks, promised, now, timeOf)
  const waits = beginClocks(facts({ waitingSince: MONDAY }), MONDAY, false)

  test('the first answer: at risk, missed, told once each, and over with the answer', () => {
    const promised = targets({ firstMinutes: 60 })
    expect(read(waits, promised, MONDAY)).toMatchObject({
      shown: { state: 'running', clock: 'first', dueAt: MONDAY + HOUR },
      alarm: null,
      lookAt: MONDAY + 48 * MINUTE,
    })
    const warned = read(waits, promised, MONDAY + 48 * MINUTE)
    expect(warned).toMatchObject({
      shown: { state: 'warned' },
      alarm: { clock: 'first', isMissed: false },
      lookAt: MONDAY + HOUR,
    })
    expect(read(warned.clocks, promised, MONDAY + 50 * MINUTE).alarm).toBe(null)
    const missed = read(warned.clocks, promised, MONDAY + HOUR)
    expect(missed).toMatchObject({
      shown: { state: 'missed' },
      alarm: { clock: 'first', isMissed: true },
      lookAt: null,
    })
    const answered = advance(missed.clocks, facts({ isAnswered: true }), MONDAY + 2 * HOUR, timeOf)
    expect(read(answered, promised, MONDAY + 3 * HOUR)).toMatchObject({ shown: null, alarm: null, lookAt: null })
    expect(elapsed(answered, 'first', MONDAY + 9 * HOUR, timeOf)).toBe(2 * HOUR)
  })
  test('the next answer counts only after the first, and anew with each wait', () => {
    const promised = targets({ nextMinutes: 30 })
    expect(read(waits, promised, MONDAY).shown).toBe(null)
    const answered = advance(waits, facts({ isAnswered: true }), MONDAY + HOUR, timeOf)
    const again = MONDAY + 90 * MINUTE
    // The message arrived a moment before it was recorded.
    const back = advance(answered, facts({ waitingSince: again - 5000 }), again, timeOf)
    expect(read(back, promised, again).shown).toMatchObject({ clock: 'next', dueAt: again - 5000 + 30 * MINUTE })
    // An answer and another word in one batch.
    const later = advance(back, facts({ waitingSince: again + MINUTE }), again + MINUTE, timeOf)
    expect(elapsed(later, 'next', again + 2 * MINUTE, timeOf)).toBe(MINUTE)
  })
  test('what a bot attends waits for nobody; its hand-over begins the first answer, not the solution', () => {
    const bot = beginClocks(facts({ waitingSince: MONDAY, isByBot: true }), MONDAY, false)
    const promised = targets({ firstMinutes: 30, solutionMinutes: 480 })
    expect(read(bot, promised, MONDAY).shown).toMatchObject({ clock: 'solution' })
    const handed = advance(bot, facts({ waitingSince: MONDAY }), MONDAY + HOUR, timeOf)
    expect(read(handed, promised, MONDAY).shown).toMatchObject({ clock: 'first', dueAt: MONDAY + 90 * MINUTE })
    expect(elapsed(handed, 'solution', MONDAY + HOUR, timeOf)).toBe(HOUR)
  })
  test('a pause and a closing stop all of them; what lives again goes on with what was counted', () => {
    const paused = advance(waits, facts({ waitingSince: MONDAY, isPaused: true }), MONDAY + HOUR, timeOf)
    expect(read(paused, targets({ firstMinutes: 90, solutionMinutes: 90 }), MONDAY + 5 * HOUR).shown).toBe(null)
    const on = advance(paused, facts({ waitingSince: MONDAY }), MONDAY + 2 * HOUR, timeOf)
    expect(elapsed(on, 'first', MONDAY + 150 * MINUTE, timeOf)).toBe(90 * MINUTE)
    const closed = advance(on, facts({ isLive: false }), MONDAY + 150 * MINUTE, timeOf)
    expect(elapsed(closed, 'solution', MONDAY + 99 * HOUR, timeOf)).toBe(90 * MINUTE)
    const reopened = advance(closed, facts({}), at('3T08:00'), timeOf)
    expect(elapsed(reopened, 'solution', at('3T09:00'), timeOf)).toBe(150 * MINUTE)
  })
  test('who waited before anybody counted is counted since then; who was attended has had the first answer', () => {
    const old = beginClocks(facts({ waitingSince: MONDAY + HOUR }), MONDAY, true)
    expect(elapsed(old, 'next', MONDAY + 2 * HOUR, timeOf)).toBe(HOUR)
    expect(elapsed(old, 'solution', MONDAY + 2 * HOUR, timeOf)).toBe(2 * HOUR)
    expect(old.first.since).toBe(null)
  })
  test('outside of the hours it is seen and not told; with the opening it is', () => {
    const promised = targets({ firstMinutes: 120 })
    const night = at('2T20:00')
    const quiet = readClocks(waits, targets({ firstMinutes: 60 }), night, timeOf)
    expect(quiet).toMatchObject({ shown: { state: 'missed' }, alarm: null, lookAt: at('3T08:00') + 1 })
    expect(readClocks(quiet.clocks, promised, at('3T08:01'), timeOf).alarm).toMatchObject({ isMissed: true })
  })
  test('the clock that is due first is shown, and the first to be at risk warns', () => {
    // The solution is due later, and at risk sooner.
    const promised = targets({ firstMinutes: 100, solutionMinutes: 110, warnPercent: 10 })
    const both = beginClocks(facts({ waitingSince: MONDAY + 5 * MINUTE }), MONDAY, false)
    const reading = readClocks(both, promised, MONDAY + 12 * MINUTE, () => always)
    expect(reading).toMatchObject({
      shown: { state: 'warned', clock: 'first' },
      alarm: { clock: 'solution', isMissed: false },
    })
  })
})

test('the first policy whose every condition holds is a ticket’s', () => {
  const none = { queueIds: [], connectionIds: [], tagIds: [], walletIds: [] }
  const policies = [
    { ...none, name: 'gold', tagIds: [7], walletIds: [3] },
    { ...none, name: 'sales', queueIds: [1, 2] },
    { ...none, name: 'shop', connectionIds: [5] },
  ]
  const ticket = (rest: object) => ({ queueId: 9, connectionId: 8, tagIds: [], walletIds: [], ...rest })
  const name = (rest: object) => policyFor(policies, ticket(rest))?.name ?? null
  expect(name({ queueId: 2, tagIds: [7] })).toBe('sales')
  expect(name({ queueId: 2, walletIds: [3] })).toBe('sales')
  expect(name({ queueId: 2, tagIds: [7], walletIds: [4, 3] })).toBe('gold')
  expect(name({ queueId: null, connectionId: 5 })).toBe('shop')
  expect(name({ queueId: null })).toBe(null)
})

describe('counting', () => {
  const clock = (hour: number, minute: number) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  const day = fc.tuple(
    fc.constantFrom('O', 'C', 'H', 'H'),
    fc.array(fc.integer({ min: 0, max: 1439 }), { minLength: 4, maxLength: 4 }),
  )
  const week = fc.array(day, { minLength: 7, maxLength: 7 }).map((days): BusinessDay[] =>
    days.map(([type, minutes], index) => {
      const [a, b, c, d] = minutes.toSorted((x, y) => x - y).map((one) => clock(Math.floor(one / 60), one % 60))
      return { day: index, label: '', type: type as 'O', hr1: a!, hr2: b!, hr3: c!, hr4: d! }
    }),
  )
  const hours = fc.record({
    week: fc.oneof(fc.constant([]), week, fc.constant([...USUAL_WEEK])),
    holidays: fc.array(
      fc.integer({ min: 1, max: 6 }).map((n): Holiday => ({ date: `2026-03-0${n}`, description: '', active: true })),
    ),
    zone: fc.constantFrom(ZONE, 'America/Manaus', 'UTC'),
  })
  const happening = fc.record({
    minutes: fc.integer({ min: 1, max: 900 }),
    what: fc.constantFrom('writes', 'answers', 'pauses', 'bot', 'closes', 'queue'),
  })
  /** Reference implementation, minute by minute, with the open time of each clock. */
  type Slow = { facts: SlaFacts; hasAnswered: boolean; counted: Record<(typeof SLA_CLOCKS)[number], number> }
  // None of these zones changes its offset in that month.
  const offsets = new Map([ZONE, 'America/Manaus', 'UTC'].map((zone) => [zone, offsetMinutes(zone, MONDAY)]))
  const isOpenIn = ({ week, holidays, zone }: OpenHours, moment: number) =>
    isOpen(week, holidays, localTime(moment, offsets.get(zone)!))
  const change = (before: SlaFacts, what: string, moment: number): SlaFacts => {
    if (what === 'writes')
      return { ...before, isLive: true, isAnswered: false, waitingSince: before.waitingSince ?? moment }
    if (what === 'answers') return { ...before, isAnswered: true, waitingSince: null }
    if (what === 'pauses') return { ...before, isPaused: !before.isPaused }
    if (what === 'bot') return { ...before, isByBot: !before.isByBot }
    if (what === 'closes') return { ...before, isLive: !before.isLive, waitingSince: null }
    return { ...before, queueId: before.queueId === 1 ? 2 : 1 }
  }

  test('equals counting minute by minute, over pauses, holidays, lunch, queues and changes of policy', () => {
    fc.assert(
      fc.property(
        fc.tuple(hours, hours),
        fc.array(happening, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 0, max: 1439 }),
        ([one, two], happenings, promised, begins) => {
          const start = Date.parse('2026-03-02T00:00:00Z') + begins * MINUTE
          const ofQueue = (queueId: number | null) => (queueId === 1 ? one : two)
          const times = [openTime(one), openTime(two)]
          const timeOf = (queueId: number | null) => times[queueId === 1 ? 0 : 1]!
          const first = facts({ queueId: 1, waitingSince: start })
          let clocks = beginClocks(first, start, false)
          let now = start
          const slow: Slow = { facts: first, hasAnswered: false, counted: { first: 0, next: 0, solution: 0 } }
          const wait = (until: number) => {
            for (; now < until; now += MINUTE) {
              const { isLive, isPaused, isByBot, waitingSince, queueId } = slow.facts
              if (!isLive || isPaused || !isOpenIn(ofQueue(queueId), now)) continue
              slow.counted.solution++
              if (isByBot || waitingSince === null) continue
              slow.counted[slow.hasAnswered ? 'next' : 'first']++
            }
          }
          for (const { minutes, what } of happenings) {
            wait(now + minutes * MINUTE)
            const next = change(slow.facts, what, now)
            if (next.waitingSince !== null && slow.facts.waitingSince === null) slow.counted.next = 0
            slow.facts = next
            slow.hasAnswered ||= next.isAnswered
            clocks = advance(clocks, next, now, timeOf)
            for (const name of SLA_CLOCKS)
              expect([name, elapsed(clocks, name, now, timeOf)]).toEqual([name, slow.counted[name] * MINUTE])
          }
          // Whatever is promised from now on: what was counted until here counts for it.
          for (const name of SLA_CLOCKS) {
            const minutes = Math.max(slow.counted[name] + 1, promised[SLA_CLOCKS.indexOf(name)]!)
            const { shown } = readClocks(clocks, targets({ [`${name}Minutes`]: minutes }), now, timeOf)
            if (!shown || shown.dueAt > now + 4 * 1440 * MINUTE) continue
            const before = { ...slow.counted }
            const rest = now
            wait(shown.dueAt)
            expect([name, slow.counted[name]]).toEqual([name, minutes])
            slow.counted = before
            now = rest
          }
        },
      ),
      { numRuns: breadth(60, 400) },
    )
  })
})
