import { afterEach, expect, test } from 'vitest'
import { inputDate, setZone } from '#web/format.ts'
import { dayOf } from './days.ts'

afterEach(() => setZone('America/Sao_Paulo'))

test.each([
  ['America/Sao_Paulo', '2026-11-22', '2026-11-22T03:00:00.000Z'],
  ['America/Manaus', '2026-11-22', '2026-11-22T04:00:00.000Z'],
  ['America/Noronha', '2024-02-29', '2024-02-29T02:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, date, start) => {
  setZone(zone)
  const day = dayOf(date)
  expect(day).toEqual({ timestamp: Date.parse(start), isDay: true })
  expect(inputDate(day!.timestamp)).toBe(date)
})

test.each(['', '2026-13-01', '0002-11-22', 'ontem'])('“%s” is no day', (text) => expect(dayOf(text)).toBeNull())
