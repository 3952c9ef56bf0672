import { expect, test } from 'vitest'
import { brazilianHolidays } from './brazil-holidays.ts'

const dayOf = (year: number, name: RegExp) =>
  brazilianHolidays(year).find(({ description }) => name.test(description))?.date

test.each([
  [2000, '2000-04-21', '2000-03-07', '2000-06-22'],
  [2019, '2019-04-19', '2019-03-05', '2019-06-20'],
  [2024, '2024-03-29', '2024-02-13', '2024-05-30'],
  [2025, '2025-04-18', '2025-03-04', '2025-06-19'],
  [2026, '2026-04-03', '2026-02-17', '2026-06-04'],
  [2027, '2027-03-26', '2027-02-09', '2027-05-27'],
  [2028, '2028-04-14', '2028-02-29', '2028-06-15'],
  [2029, '2029-03-30', '2029-02-13', '2029-05-31'],
  [2030, '2030-04-19', '2030-03-05', '2030-06-20'],
  [2038, '2038-04-23', '2038-03-09', '2038-06-24'],
])('%i: Good Friday, Carnival Tuesday, Corpus Christi', (year, friday, carnival, corpus) => {
  expect(dayOf(year, /Santa/)).toBe(friday)
  expect(dayOf(year, /terça/)).toBe(carnival)
  expect(dayOf(year, /Corpus/)).toBe(corpus)
})

test('2026 by date, the law’s ten apart from the optional ones', () => {
  const holidays = brazilianHolidays(2026)
  expect(holidays.map(({ date }) => date)).toEqual(holidays.map(({ date }) => date).sort())
  expect(holidays.filter(({ optional }) => !optional).map(({ date }) => date.slice(5))).toEqual([
    '01-01',
    '04-03',
    '04-21',
    '05-01',
    '09-07',
    '10-12',
    '11-02',
    '11-15',
    '11-20',
    '12-25',
  ])
  expect(holidays.filter(({ optional }) => optional)).toHaveLength(4)
})

test('20 November is national since 2024', () => {
  expect(dayOf(2023, /Consciência/)).toBeUndefined()
  expect(dayOf(2024, /Consciência/)).toBe('2024-11-20')
})

test('Easter falls on a Sunday between 22 March and 25 April', () => {
  for (let year = 1900; year <= 2100; year++) {
    const friday = Date.parse(dayOf(year, /Santa/) ?? '')
    expect(new Date(friday).getUTCDay()).toBe(5)
    expect(friday).toBeGreaterThanOrEqual(Date.UTC(year, 2, 20))
    expect(friday).toBeLessThanOrEqual(Date.UTC(year, 3, 23))
  }
})
