import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startClocks } from './clocks.ts'

const readProfile = vi.fn()
const checkHours = vi.fn()
const who = new Map<string, string>()
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: (key: string) => who.get(key) ?? null })
  who.clear()
  readProfile.mockReset()
  checkHours.mockReset()
  stop = startClocks({ readProfile, checkHours })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const as = (profile: string, userId = '7') => {
  who.set('profile', profile)
  who.set('userId', userId)
}

test.each(['admin', 'super', 'superadmin'])('the profile of a %s is read again every 30 s', (profile) => {
  as(profile)
  vi.advanceTimersByTime(29_999)
  expect(readProfile).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(readProfile).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(readProfile).toHaveBeenCalledTimes(3)
})

test('the profile of a user is not, nor is anything without a user id', () => {
  as('user')
  vi.advanceTimersByTime(300_000)
  as('admin', '')
  vi.advanceTimersByTime(300_000)
  expect(readProfile).not.toHaveBeenCalled()
})

test('whoever becomes an admin is read from then on', () => {
  as('user')
  vi.advanceTimersByTime(60_000)
  as('admin')
  vi.advanceTimersByTime(30_000)
  expect(readProfile).toHaveBeenCalledTimes(1)
})

test.each(['user', 'admin', 'super', 'superadmin'])('the hours of a %s are checked every 1,800,000 ms', (profile) => {
  as(profile)
  vi.advanceTimersByTime(1_799_999)
  expect(checkHours).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(checkHours).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1_800_000)
  expect(checkHours).toHaveBeenCalledTimes(2)
})

test('without a user id no hours are checked', () => {
  vi.advanceTimersByTime(3_600_000)
  expect(checkHours).not.toHaveBeenCalled()
})
