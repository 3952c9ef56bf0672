import { expect, test } from 'vitest'
import { USUAL_WEEK } from '../calendar/business-hours.ts'
import { isTooLate, scheduleChoices, scheduleProblem } from './schedule.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(`${text}:00-03:00`)

test.each([
  [4_999, true],
  [5_000, false],
  [365 * 24 * HOUR, false],
  [365 * 24 * HOUR + 1, true],
  [-1, true],
])('%i ms ahead: refused %s', (ahead, isRefused) => {
  expect(scheduleProblem(1_000_000 + ahead, 1_000_000) !== null).toBe(isRefused)
})

test('late by an hour it goes, by more it does not', () => {
  expect([0, HOUR, HOUR + 1].map((late) => isTooLate(5000, 5000 + late))).toEqual([false, false, true])
})

const shown = (now: string, week = USUAL_WEEK, holidays: Parameters<typeof scheduleChoices>[1]['holidays'] = []) =>
  scheduleChoices(at(now), { zone: 'America/Sao_Paulo', week, holidays }).map(({ label, at: moment }) => [
    label,
    new Date(moment - 3 * HOUR).toISOString().slice(0, 16),
  ])

test.each<[string, string, Parameters<typeof shown>[1], Parameters<typeof shown>[2], string[][]]>([
  [
    'a Thursday morning',
    '2026-11-19T10:12',
    USUAL_WEEK,
    [],
    [
      ['Em 30 minutos', '2026-11-19T10:42'],
      ['Hoje, 18:00', '2026-11-19T18:00'],
      ['Amanhã, 9:00', '2026-11-20T09:00'],
      ['Segunda-feira, 9:00', '2026-11-23T09:00'],
    ],
  ],
  [
    'before a holiday: what would be tomorrow is Monday, once',
    '2026-11-19T19:00',
    USUAL_WEEK,
    [{ date: '2026-11-20', description: 'Consciência Negra', active: true }],
    [
      ['Em 30 minutos', '2026-11-19T19:30'],
      ['Segunda 23/11, 9:00', '2026-11-23T09:00'],
    ],
  ],
  [
    'the day before two holidays: the first day on which somebody is there',
    '2026-12-23T19:00',
    USUAL_WEEK,
    [
      { date: '2026-12-24', description: 'Véspera', active: true },
      { date: '2026-12-25', description: 'Natal', active: true },
      { date: '2026-12-28', description: 'Recesso', active: true },
    ],
    [
      ['Em 30 minutos', '2026-12-23T19:30'],
      ['Terça 29/12, 9:00', '2026-12-29T09:00'],
    ],
  ],
  [
    'a company that closes at noon and opens at ten',
    '2026-11-19T09:00',
    USUAL_WEEK.map((day) => ({ ...day, hr1: '10:00', hr2: '12:00', hr3: '', hr4: '' })),
    [],
    [
      ['Em 30 minutos', '2026-11-19T09:30'],
      ['Hoje, 12:00', '2026-11-19T12:00'],
      ['Amanhã, 10:00', '2026-11-20T10:00'],
      ['Segunda-feira, 10:00', '2026-11-23T10:00'],
    ],
  ],
  [
    'a Sunday, always open',
    '2026-11-22T17:40',
    [],
    [],
    [
      ['Hoje, 18:00', '2026-11-22T18:00'],
      ['Em 30 minutos', '2026-11-22T18:10'],
      ['Amanhã, 9:00', '2026-11-23T09:00'],
    ],
  ],
])('%s', (_, now, week, holidays, choices) => {
  expect(shown(now, week, holidays)).toEqual(choices)
})

test('in the zone of the company, whose clock may change in between', () => {
  const choices = scheduleChoices(Date.parse('2026-10-31T20:30:00Z'), {
    zone: 'America/New_York',
    week: [],
    holidays: [],
  })
  expect(choices.map((one) => new Date(one.at).toISOString())).toEqual([
    '2026-10-31T21:00:00.000Z',
    '2026-10-31T22:00:00.000Z',
    '2026-11-01T14:00:00.000Z',
    '2026-11-02T14:00:00.000Z',
  ])
})
