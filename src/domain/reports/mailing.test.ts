import { expect, it } from 'vitest'
import { mailedPeriod, nextMailing } from './mailing.ts'

const ZONE = 'America/Sao_Paulo'
const at = (text: string) => Date.parse(`${text}-03:00`)

it('weeks leave on Monday at seven, months on their first day', () => {
  expect(nextMailing('weekly', ZONE, at('2026-11-29T12:00:00'))).toBe(at('2026-11-30T07:00:00'))
  expect(nextMailing('weekly', ZONE, at('2026-11-30T06:59:59'))).toBe(at('2026-11-30T07:00:00'))
  expect(nextMailing('weekly', ZONE, at('2026-11-30T07:00:00'))).toBe(at('2026-12-07T07:00:00'))
  expect(nextMailing('monthly', ZONE, at('2026-12-15T12:00:00'))).toBe(at('2027-01-01T07:00:00'))
})

it('tell of the days before', () => {
  expect(mailedPeriod('weekly', ZONE, at('2026-11-30T07:00:00'))).toEqual({ from: '2026-11-23', to: '2026-11-29' })
  expect(mailedPeriod('monthly', ZONE, at('2027-01-01T07:00:00'))).toEqual({ from: '2026-12-01', to: '2026-12-31' })
})
