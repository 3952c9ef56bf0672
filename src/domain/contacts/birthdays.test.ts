import { expect, test } from 'vitest'
import { localTime } from '../calendar/local-time.ts'
import { birthdaysFrom } from './birthdays.ts'

const on = (text: string) => localTime(Date.parse(`${text}T12:00Z`), 0)

test('who was born on 29 February has it on the 28th, where there is no such day', () => {
  expect(birthdaysFrom(on('2026-02-28'), 'today')).toEqual([
    { position: 0, year: 2026, day: '02-28' },
    { position: 0, year: 2026, day: '02-29' },
  ])
  expect(birthdaysFrom(on('2028-02-28'), 'today').map(({ day }) => day)).toEqual(['02-28'])
  expect(birthdaysFrom(on('2028-02-29'), 'today').map(({ day }) => day)).toEqual(['02-29'])
  expect(birthdaysFrom(on('2100-02-28'), 'today')).toHaveLength(2)
})

test('the days of a week go on into the next year', () => {
  const days = birthdaysFrom(on('2026-12-30'), 'week')
  expect(days.map(({ year, day }) => `${year}-${day}`)).toEqual([
    ...['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04', '2027-01-05'],
  ])
  expect(birthdaysFrom(on('2026-12-30'), 'month')).toHaveLength(31)
})
