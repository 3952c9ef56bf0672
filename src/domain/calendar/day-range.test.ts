import { expect, it } from 'vitest'
import { momentsOf } from './day-range.ts'

const now = new Date('2026-03-10T01:30:00Z') // still the 9th in São Paulo
const zone = 'America/Sao_Paulo'

it.each([
  ['2026-03-01..2026-03-02', '2026-03-01T03:00:00.000Z', '2026-03-03T03:00:00.000Z'],
  ['2026-03-01..', '2026-03-01T03:00:00.000Z', null],
  ['-7..', '2026-03-02T03:00:00.000Z', null],
  ['..-30', null, '2026-02-08T03:00:00.000Z'],
  ['..', null, null],
])('reads %s as days of the company', (range, from, before) => {
  expect(momentsOf(range, { zone, now })).toEqual({
    from: from && new Date(from),
    before: before && new Date(before),
  })
})

it.each(['', '2026-03-01', '2026-13-01..', '7..', 'a..b'])('refuses “%s”', (range) => {
  expect(momentsOf(range, { zone, now })).toBeNull()
})
