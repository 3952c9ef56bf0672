import { expect, test } from 'vitest'
import { formatClock, formatDateTime, formatDay, formatListTime, formatMoney, formatSpan, setZone } from './format.ts'

const now = Date.parse('2026-11-18T17:32:00Z') // Wednesday 14:32 in São Paulo

test('times are the tenant’s, not the machine’s', () => {
  expect(formatDateTime('2026-11-18T02:10:00Z')).toBe('17/11/2026 23:10')
  setZone('America/Rio_Branco')
  expect(formatDateTime('2026-11-18T02:10:00Z')).toBe('17/11/2026 21:10')
  setZone('Marte/Olympus')
  expect(formatDateTime('2026-11-18T02:10:00Z')).toBe('17/11/2026 21:10')
  setZone('America/Sao_Paulo')
})

test.each([
  ['2026-11-18T17:32:00Z', '14:32'],
  ['2026-11-18T02:59:00Z', 'ontem'], // 23:59 of the day before in São Paulo
  ['2026-11-16T15:00:00Z', 'segunda'],
  ['2026-11-14T15:00:00Z', 'sábado'],
  ['2026-10-18T15:00:00Z', '18/10'],
  ['2025-11-18T15:00:00Z', '18/11/2025'],
])('list time of %s is %s', (when, shown) => {
  expect(formatListTime(when, now)).toBe(shown)
})

test('days of a conversation', () => {
  expect(formatDay(now, now)).toBe('Hoje')
  expect(formatDay('2026-11-17T12:00:00Z', now)).toBe('Ontem')
  expect(formatDay('2026-11-10T12:00:00Z', now)).toBe('terça-feira, 10/11/2026')
})

test('spans and amounts', () => {
  expect([0, 59_999, 360_000, 18_240_000, 300_000_000].map(formatSpan)).toEqual([
    'agora',
    'agora',
    '6 min',
    '5h04',
    '3 d',
  ])
  expect(formatClock(24)).toBe('0:24')
  expect(formatMoney('4890.00').replace(/\u00a0/g, ' ')).toBe('R$ 4.890,00')
})
