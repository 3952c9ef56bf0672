import { expect, test } from 'vitest'
import type { ProviderEvent } from '../port.ts'
import { partsOf } from './parts.ts'

const mail = (events: number, body = ''): ProviderEvent[] =>
  Array.from(
    { length: events },
    () => ({ type: 'message', message: { body } }) as Partial<ProviderEvent> as ProviderEvent,
  )

test('mails of many files, or of long texts, are handed over in parts that a link takes', () => {
  // A hundred files with their proofs of sending, ten times: more than a thousand events.
  expect(partsOf(Array.from({ length: 10 }, () => mail(131)))).toEqual([3, 6, 9, 10])
  // Each character takes two in JSON.
  const long = mail(1, '"'.repeat(600_000))
  expect(partsOf(Array.from({ length: 10 }, () => long))).toEqual([3, 6, 9, 10])
  expect(partsOf(Array.from({ length: 10 }, () => mail(2)))).toEqual([10])
  expect(partsOf([mail(0), mail(400), mail(0), mail(400)])).toEqual([3, 4])
  expect(partsOf([])).toEqual([0])
})
