import { expect, test } from 'vitest'
import { nextTrial, trialDays, trialEnd } from './trial.ts'

const day = (n: number) => new Date(Date.UTC(2026, 10, n, 12))
const now = day(20)
const paid = { began: day(1), ends: null }
const trial = { began: day(10), ends: day(17) }

test.each<[string, typeof paid | typeof trial, Parameters<typeof nextTrial>[1], ReturnType<typeof nextTrial>]>([
  ['nothing is said of a paid company', paid, {}, null],
  ['nothing is said of one on trial', trial, {}, null],
  ['a trial is switched on', paid, { trial: 'enabled', trialPeriod: 5 }, { began: now, ends: day(25) }],
  ['one is switched on without days', paid, { trial: 'enabled' }, 'days'],
  ['one is switched on for no days', paid, { trial: 'enabled', trialPeriod: 0 }, 'days'],
  ['days without a trial mean nothing', paid, { trialPeriod: 5 }, null],
  ['a trial gets more days, from its own beginning', trial, { trialPeriod: 15 }, { began: day(10), ends: day(25) }],
  ['the same days are no change', trial, { trial: 'enabled', trialPeriod: 7 }, null],
  ['its days are taken away', trial, { trialPeriod: 0 }, 'days'],
  ['it is switched off', trial, { trial: 'disabled', trialPeriod: 7 }, { began: day(10), ends: null }],
  ['what is off is switched off', paid, { trial: 'disabled' }, null],
])('%s', (_, before, wish, after) => {
  expect(nextTrial(before, wish, now)).toEqual(after)
})

test('days of a trial are counted from its beginning to its end', () => {
  expect(trialDays(day(10), trialEnd(day(10), 30))).toBe(30)
  expect(trialDays(day(10), null)).toBe(0)
})
