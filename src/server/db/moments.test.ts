import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { momentParser } from './moments.ts'

const byDriver = pg.types.getTypeParser(1184) as (text: string) => Date

test('a moment is read as the driver reads it, whatever PostgreSQL may write', () => {
  const left: string[] = []
  const parse = momentParser((text) => {
    left.push(text)
    return byDriver(text)
  })
  const others = [
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '0099-12-31 23:59:59+00',
    '10000-01-01 00:00:00+00',
    '2026-11-27 00:25:10.43-03',
    '2026-11-27 00:25:10+05:30',
  ]
  for (const text of others) expect(parse(text), text).toEqual(byDriver(text))
  expect(left).toEqual(others)
  const moments = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(moments, fc.integer({ min: 0, max: 999_999 }), (day, micros) => {
      const seconds = day.toISOString().slice(0, 19).replace('T', ' ')
      const fraction = String(micros).padStart(6, '0').replace(/0+$/, '')
      const text = `${seconds}${fraction && `.${fraction}`}+00`
      // The driver's floating-point fractions may be a millisecond off.
      const exact = Date.parse(`${seconds.replace(' ', 'T')}Z`) + Math.floor(micros / 1000)
      expect(parse(text).getTime(), text).toBe(exact)
      expect(Math.abs(parse(text).getTime() - byDriver(text).getTime()), text).toBeLessThanOrEqual(1)
    }),
  )
  expect(left).toEqual(others)
})
