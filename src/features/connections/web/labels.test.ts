import { expect, test } from 'vitest'
import { isHindering } from './hindering.ts'
import { healthText, slowText } from './labels.ts'
import { gapOf, spanOf } from './outage-texts.ts'

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

test('a channel that is away hinders who may write by it, unless somebody has ended it', () => {
  const hinders = (
    status: 'CONNECTED' | 'TIMEOUT' | 'DISCONNECTED',
    cause: 'unlinked' | 'person' | null,
    isAllowed = true,
    wasConnected = true,
  ) => isHindering({ status, cause, isAllowed, wasConnected })
  expect([hinders('TIMEOUT', null), hinders('DISCONNECTED', 'unlinked')]).toEqual([true, true])
  expect([hinders('CONNECTED', null), hinders('DISCONNECTED', 'person'), hinders('DISCONNECTED', null)]).toEqual([
    ...[false, false, false],
  ])
  expect([hinders('TIMEOUT', null, false), hinders('DISCONNECTED', 'unlinked', false)]).toEqual([false, false])
  expect([hinders('TIMEOUT', null, true, false), hinders('DISCONNECTED', 'unlinked', true, false)]).toEqual([
    ...[false, false],
  ])
})

test('what became of an outage is said with its counts, or that nobody could check', () => {
  const at = (time: string) => Date.parse(`2026-03-04T${time}:00-03:00`)
  const endedAt = at('14:31')
  expect(spanOf({ beganAt: at('14:02'), endedAt })).toBe('Fora de 04/03/2026 14:02 a 14:31 (29 min)')
  expect(spanOf({ beganAt: at('14:02'), endedAt: null })).toBe('Fora desde 04/03/2026 14:02')
  const said = (recovered: number | null, missing: number | null, now = endedAt) =>
    gapOf({ endedAt, recovered, missing }, now)
  expect(said(12, 0)).toBe('12 mensagens recuperadas, 0 faltando')
  expect(said(1, 3)).toBe('1 mensagem recuperada, 3 faltando')
  expect(said(12, null)).toBe('12 mensagens recuperadas; não foi possível conferir se falta alguma')
  expect(said(null, null)).toBe('Conferindo o que chegou enquanto isso')
  expect(said(null, null, endedAt + 120_000)).toBe('Não foi possível conferir o que chegou enquanto isso')
  expect(gapOf({ endedAt: null, recovered: null, missing: null })).toBe('')
})
