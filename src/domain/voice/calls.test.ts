import { expect, it, test } from 'vitest'
import {
  BUSY,
  CALL_STATUSES,
  type DialResult,
  ENDINGS,
  FRAME_BYTES,
  loggedAtBegin,
  loggedAtEnd,
  NOT_CONNECTED,
  SOUND,
  secondsOf,
  VOICE_MS,
  whyNotDialled,
} from './calls.ts'

test('the constants are those of the specification', () => {
  expect(SOUND).toEqual({ rate: 16_000, channels: 1, bits: 16, frame: 640 })
  expect(FRAME_BYTES).toBe(1280)
  expect(VOICE_MS).toEqual({ microphone: 250, dial: 1000, reload: 500 })
  expect(ENDINGS).toEqual({ terminate: 250, reject: 250, reject_elsewhere: 250, accept_elsewhere: 500 })
  expect(CALL_STATUSES).toEqual(['offer', 'outcoming_calling', 'accept'])
})

it.each<[string, DialResult[], string]>([
  ['no connected device', [], NOT_CONNECTED],
  ['busy devices', ['busy', 'busy'], BUSY],
  ['devices that do not answer', ['late'], BUSY],
  ['one reason of all', [{ sentence: 'Numero não existe' }, { sentence: 'Numero não existe' }], 'Numero não existe'],
  ['different reasons', [{ sentence: 'Numero não existe' }, 'busy'], BUSY],
  ['a refusal without a sentence', [{ sentence: '' }], BUSY],
])('a call that fails on %s says why', (_, results, why) => {
  expect(whyNotDialled(results)).toBe(why)
})

test('the log says how a call begins, ends and how long it took', () => {
  expect([loggedAtBegin('incoming'), loggedAtBegin('outgoing')]).toEqual(['Received', 'Calling'])
  expect([loggedAtEnd(true), loggedAtEnd(false)]).toEqual(['Completed', 'Ended'])
  const at = new Date('2026-12-01T10:00:00Z')
  expect(secondsOf(at, new Date('2026-12-01T10:01:05Z'))).toBe(65)
  expect([secondsOf(null, at), secondsOf(at, null), secondsOf(at, new Date(at.getTime() - 5))]).toEqual([0, 0, 0])
})
