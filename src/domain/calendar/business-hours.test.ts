import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BusinessDay,
  type Holiday,
  isEverOpen,
  isOpen,
  nextOpening,
  USUAL_WEEK,
  weekProblems,
} from './business-hours.ts'
import { isoDay, type LocalTime, localTime } from './local-time.ts'

const at = (text: string): LocalTime => localTime(Date.parse(`${text}Z`), 0)
const text = (time: LocalTime | null) =>
  time && `${isoDay(time)}T${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')}`
const AWARENESS: Holiday[] = [{ date: '2026-11-20', description: 'Consciência Negra', active: true }]
const ALWAYS: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'O' }))
const NEVER: BusinessDay[] = USUAL_WEEK.map((row) => ({ ...row, type: 'C' }))

describe('the usual week', () => {
  test.each([
    ['2026-11-19T07:59', [], false, '2026-11-19T08:00'],
    ['2026-11-19T08:00', [], true, '2026-11-19T08:00'],
    ['2026-11-19T11:59', [], true, '2026-11-19T11:59'],
    ['2026-11-19T12:00', [], false, '2026-11-19T14:00'],
    ['2026-11-19T17:59', [], true, '2026-11-19T17:59'],
    ['2026-11-19T18:00', [], false, '2026-11-20T08:00'],
    ['2026-11-19T18:00', AWARENESS, false, '2026-11-23T08:00'],
    ['2026-11-20T10:00', AWARENESS, false, '2026-11-23T08:00'],
    ['2026-11-20T10:00', [{ ...AWARENESS[0]!, active: false }], true, '2026-11-20T10:00'],
    ['2026-11-21T10:00', [], false, '2026-11-23T08:00'],
    ['2026-12-31T19:00', [], false, '2027-01-01T08:00'],
  ])('at %s', (moment, holidays, open, opening) => {
    expect(isOpen(USUAL_WEEK, holidays, at(moment))).toBe(open)
    expect(text(nextOpening(USUAL_WEEK, holidays, at(moment)))).toBe(opening)
  })
})

test('a day with one period is open in it alone', () => {
  const morning = USUAL_WEEK.map((row) => ({ ...row, hr3: '', hr4: '' }))
  expect(
    ['07:59', '08:00', '11:59', '12:00', '15:00'].map((time) => isOpen(morning, [], at(`2026-11-19T${time}`))),
  ).toEqual([false, true, true, false, false])
  expect(text(nextOpening(morning, [], at('2026-11-19T12:00')))).toBe('2026-11-20T08:00')
})

test('no hours at all means always there; O too, but for holidays; C never', () => {
  const night = at('2026-11-20T03:00')
  expect(isOpen([], [], night)).toBe(true)
  expect(isOpen(ALWAYS, [], night)).toBe(true)
  expect(isOpen(ALWAYS, AWARENESS, night)).toBe(false)
  expect(text(nextOpening(ALWAYS, AWARENESS, night))).toBe('2026-11-21T00:00')
  expect(isOpen(NEVER, [], night)).toBe(false)
  expect(nextOpening(NEVER, [], night)).toBeNull()
  expect([[], ALWAYS, USUAL_WEEK, NEVER].map(isEverOpen)).toEqual([true, true, true, false])
})

test('a night that ends at 23:59 goes on at midnight without a gap', () => {
  const night = USUAL_WEEK.map((row) => ({
    ...row,
    type: 'H' as const,
    hr1: '00:00',
    hr2: '06:00',
    hr3: '22:00',
    hr4: '23:59',
  }))
  const open = ['21:59', '22:00', '23:59'].map((time) => isOpen(night, [], at(`2026-11-19T${time}`)))
  expect(open).toEqual([false, true, true])
  expect(isOpen(night, [], at('2026-11-20T00:00'))).toBe(true)
  expect(text(nextOpening(night, AWARENESS, at('2026-11-19T23:59')))).toBe('2026-11-19T23:59')
  expect(text(nextOpening(night, AWARENESS, at('2026-11-20T00:00')))).toBe('2026-11-21T00:00')
})

describe('weekProblems', () => {
  const monday = (part: Partial<BusinessDay>) => USUAL_WEEK.map((row) => (row.day === 1 ? { ...row, ...part } : row))
  test.each([
    [{}, []],
    [{ hr1: '' }, ['Segunda: preencha os quatro horários (HH:MM).']],
    [{ hr3: '', hr4: '' }, []],
    [{ hr3: '' }, ['Segunda: preencha os quatro horários (HH:MM).']],
    [{ hr2: '', hr3: '', hr4: '' }, ['Segunda: preencha os dois horários (HH:MM).']],
    [{ hr2: '08:00', hr3: '', hr4: '' }, ['Segunda: o período precisa terminar depois de começar.']],
    [{ hr1: '8:00' }, ['Segunda: preencha os quatro horários (HH:MM).']],
    [{ hr1: '12:00' }, ['Segunda: o primeiro período precisa terminar depois de começar.']],
    [{ hr4: '13:00' }, ['Segunda: o segundo período precisa terminar depois de começar.']],
    [
      { hr3: '22:00', hr4: '02:00' },
      ['Segunda: o segundo período passa da meia-noite: termine às 23:59 e continue no dia seguinte.'],
    ],
    [{ hr3: '12:00' }, ['Segunda: o segundo período precisa começar depois do primeiro.']],
    [
      { hr1: '18:00', hr2: '09:00', hr3: '08:00', hr4: '07:00' },
      [
        'Segunda: o primeiro período precisa terminar depois de começar; ' +
          'o segundo período precisa terminar depois de começar; o segundo período precisa começar depois do primeiro.',
      ],
    ],
    [{ type: 'C' as const, hr1: '' }, []],
  ])('%o', (part, problems) => {
    expect(weekProblems(monday(part)).map(({ problem }) => problem)).toEqual(problems)
  })

  test('all days are looked at, each once', () => {
    expect(weekProblems([]).map(({ day }) => day)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(weekProblems([...USUAL_WEEK, USUAL_WEEK[3]!])).toEqual([
      { day: 3, problem: 'Quarta: aparece mais de uma vez.' },
    ])
  })
})

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
const weekOf = fc.tuple(
  ...[0, 1, 2, 3, 4, 5, 6].map((day) =>
    fc
      .record({
        type: fc.constantFrom('O' as const, 'C' as const, 'H' as const),
        hours: fc.uniqueArray(clock, { minLength: 4, maxLength: 4 }).map((times) => times.sort()),
      })
      .map(({ type, hours: [hr1 = '', hr2 = '', hr3 = '', hr4 = ''] }) => ({
        day,
        label: '',
        type,
        hr1,
        hr2,
        hr3,
        hr4,
      })),
  ),
)
const moment = fc
  .integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2027, 0, 1) / 60_000 })
  .map((minutes) => localTime(minutes * 60_000, 0))

test('the next opening is open, not earlier than now, and the minute before it is closed unless it is now', () => {
  fc.assert(
    fc.property(weekOf, moment, fc.boolean(), (week, now, closedToday) => {
      const holidays = closedToday ? [{ date: isoDay(now), description: '', active: true }] : []
      const opening = nextOpening(week, holidays, now)
      if (!opening) {
        expect(week.every((row) => row.type === 'C')).toBe(true)
        return
      }
      expect(isOpen(week, holidays, opening)).toBe(true)
      const [from, to] = [now, opening].map((time) => Date.parse(`${text(time)}Z`)) as [number, number]
      expect(to).toBeGreaterThanOrEqual(from)
      expect(isOpen(week, holidays, now)).toBe(to === from)
      if (to > from) expect(isOpen(week, holidays, localTime(to - 60_000, 0))).toBe(false)
    }),
  )
})
