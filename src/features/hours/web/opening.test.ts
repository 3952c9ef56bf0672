import { expect, test } from 'vitest'
import { openingLabel } from './opening.ts'

// Friday, 20 November 2026, 19:30 in São Paulo.
const now = new Date('2026-11-20T22:30:00Z')

test.each([
  [true, null, 'Aberto agora'],
  [false, null, 'Fechado agora'],
  [false, '2026-11-21T01:00:00Z', 'Fechado agora, abre hoje às 22:00'],
  [false, '2026-11-21T11:00:00Z', 'Fechado agora, abre amanhã às 08:00'],
  [false, '2026-11-23T11:00:00Z', 'Fechado agora, abre segunda às 08:00'],
  [false, '2026-11-26T11:00:00Z', 'Fechado agora, abre quinta às 08:00'],
  [false, '2026-11-27T11:00:00Z', 'Fechado agora, abre em 27/11/2026 às 08:00'],
])('open %s, from %s: %s', (isOpen, opensAt, words) => {
  expect(openingLabel({ isOpen, opensAt, timezone: 'America/Sao_Paulo' }, now)).toBe(words)
})
