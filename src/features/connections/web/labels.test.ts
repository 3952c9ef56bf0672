import { expect, test } from 'vitest'
import { slowText } from './labels.ts'

test('a number that was told to go slower says until when, and nothing afterwards', () => {
  const slowUntil = Date.parse('2026-03-04T15:30:00-03:00')
  const at = (now: number) => slowText({ slowUntil }, now)
  expect(at(slowUntil - 1)).toBe(
    'O canal recusou conversas novas: até 04/03/2026 15:30, os primeiros contatos saem mais devagar.',
  )
  expect(at(slowUntil)).toBeNull()
  expect(slowText({ slowUntil: null })).toBeNull()
})
