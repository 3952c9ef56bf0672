import { expect, test } from 'vitest'
import { healthText, slowText } from './labels.ts'

test('a number that was told to go slower says until when, and nothing afterwards', () => {
  const slowUntil = Date.parse('2026-03-04T15:30:00-03:00')
  const at = (now: number) => slowText({ slowUntil }, now)
  expect(at(slowUntil - 1)).toBe(
    'O canal recusou conversas novas: até 04/03/2026 15:30, os primeiros contatos saem mais devagar.',
  )
  expect(at(slowUntil)).toBeNull()
  expect(slowText({ slowUntil: null })).toBeNull()
})

test('how the last hours were is said in words', () => {
  const hour = 3_600_000
  const said = (outages: number, awayMs: number, knownMs = 36 * hour) =>
    healthText({ hours: [], outages, awayMs, knownMs })
  expect(said(0, 0, 0)).toBe('sem registro')
  expect(said(0, 0)).toBe('sem quedas')
  expect(said(1, 30_000)).toBe('99,9% no ar, 1 queda, menos de 1 min fora')
  expect(said(2, 1.5 * hour, 30 * hour)).toBe('95% no ar, 2 quedas, 1h30 fora')
})
