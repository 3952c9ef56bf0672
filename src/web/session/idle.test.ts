import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { markUnsaved } from '../unsaved.ts'
import { watchIdle } from './idle.ts'

const tick = 30_000
const limit = 7200
const page = new EventTarget()
const reload = vi.fn()
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  reload.mockReset()
  stop = watchIdle(reload)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a page that nobody touches is reloaded at the 7200th tick of 30 s, not before', () => {
  vi.advanceTimersByTime(limit * tick - 1)
  expect(reload).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each(['click', 'mousemove', 'keydown'])('a %s starts the count anew', (event) => {
  vi.advanceTimersByTime((limit - 1) * tick)
  page.dispatchEvent(new Event(event))
  vi.advanceTimersByTime((limit - 1) * tick)
  expect(reload).not.toHaveBeenCalled()
  vi.advanceTimersByTime(tick)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('nothing else does', () => {
  vi.advanceTimersByTime((limit - 1) * tick)
  for (const event of ['scroll', 'focus', 'touchmove']) page.dispatchEvent(new Event(event))
  vi.advanceTimersByTime(tick)
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each(['form', 'upload', 'call'])('an open %s is never reloaded away: the tick after it does', (name) => {
  const release = markUnsaved(name)
  vi.advanceTimersByTime((limit + 500) * tick)
  expect(reload).not.toHaveBeenCalled()
  release()
  vi.advanceTimersByTime(tick)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('stopping stops', () => {
  stop()
  vi.advanceTimersByTime(2 * limit * tick)
  expect(reload).not.toHaveBeenCalled()
})
