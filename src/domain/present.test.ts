import { expect, test } from 'vitest'
import { firstOf, itemAt, lastOf, lookUp, MissingValueError, present } from './present.ts'

test('an item is what the list holds there, be it nothing', () => {
  expect([itemAt([1, 2], 1), itemAt([undefined, null], 0), itemAt([undefined, null], 1)]).toEqual([2, undefined, null])
  expect([itemAt('abc' as never, 2), itemAt(Buffer.from([7]), 0), firstOf([null]), lastOf([1, undefined])]).toEqual([
    'c',
    7,
    null,
    undefined,
  ])
})

test('what is not there is an error of the program', () => {
  for (const work of [
    () => itemAt([1], 1),
    () => itemAt([1], -1),
    () => firstOf([]),
    () => lastOf([]),
    () => lookUp(new Map(), 'x'),
    () => present(null),
  ])
    expect(work).toThrow(MissingValueError)
})
