import { expect, test } from 'vitest'
import { momentOfAppointment } from './appointment.ts'

const ZONE = 'America/Sao_Paulo'
const at = (type: Parameters<typeof momentOfAppointment>[0]['type'], now: string, date = '', delayMs = 0) => {
  const moment = momentOfAppointment({ type, date, delayMs }, Date.parse(now), ZONE)
  return moment && new Date(moment).toISOString()
}

test.each([
  ['30_mins', '2026-01-31T12:00:00Z', '2026-01-31T12:30:00.000Z'],
  ['1_hour', '2026-01-31T12:00:00Z', '2026-01-31T13:00:00.000Z'],
  ['tomorrow', '2026-01-31T12:10:00Z', '2026-02-01T12:10:00.000Z'],
  ['next_week', '2026-01-31T12:10:00Z', '2026-02-07T12:10:00.000Z'],
  // The last day of a shorter month; the year after December; the day of the company, not of Greenwich.
  ['next_month', '2026-01-31T12:10:00Z', '2026-02-28T12:10:00.000Z'],
  ['next_month', '2026-12-15T12:10:00Z', '2027-01-15T12:10:00.000Z'],
  ['next_month', '2026-05-01T01:00:00Z', '2026-05-31T01:00:00.000Z'],
] as const)('%s after %s is %s', (type, now, then) => {
  expect(at(type, now)).toBe(then)
})

test('a date is the company’s wall clock where it has no offset, and nothing where it is none; more minutes are added', () => {
  const now = '2026-01-01T00:00:00Z'
  expect(at('custom', now, '2026-02-03T09:30')).toBe('2026-02-03T12:30:00.000Z')
  expect(at('custom', now, '2026-02-03 09:30:00')).toBe('2026-02-03T12:30:00.000Z')
  expect(at('custom', now, '2026-02-03T09:30:00Z')).toBe('2026-02-03T09:30:00.000Z')
  expect(at('1_hour', now, '', 600_000)).toBe('2026-01-01T01:10:00.000Z')
  expect([at('custom', now), at('custom', now, 'amanhã')]).toEqual([null, null])
})
