import fc from 'fast-check'
import { expect, test } from 'vitest'
import { windowOf } from './window.ts'

const DAY = 86_400_000
const day = { windowHours: 24 }

test.each([
  ['without a window', null, { windowHours: null }, 5 * DAY, true, null],
  ['who never wrote', null, day, DAY, false, 0],
  ['just now', 0, day, 1, true, DAY - 60_000],
  ['in the last moment', 0, day, DAY - 60_001, true, DAY - 60_000],
  ['within the last minute', 0, day, DAY - 60_000, false, DAY - 60_000],
  ['by a clock that is ahead of ours', 5 * DAY, day, 4 * DAY, true, 6 * DAY - 60_000],
] as const)('%s', (_, lastInbound, channel, now, isOpen, until) => {
  expect(windowOf(lastInbound, channel, now)).toEqual({ isOpen, until })
})

test('is never open when the provider has closed it, and never closed more than a minute before', () => {
  const at = fc.integer({ min: 0, max: 2_000_000_000_000 })
  fc.assert(
    fc.property(at, fc.integer({ min: 0, max: 8 * DAY }), fc.integer({ min: 1, max: 168 }), (said, waited, hours) => {
      const { isOpen } = windowOf(said, { windowHours: hours }, said + waited)
      if (waited >= hours * 3_600_000) expect(isOpen).toBe(false)
      if (waited < hours * 3_600_000 - 60_000) expect(isOpen).toBe(true)
    }),
  )
})
