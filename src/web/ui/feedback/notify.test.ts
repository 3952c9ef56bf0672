import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Test files share their modules, and errors of others stay until they are closed.
let toasts: typeof import('./notify.tsx')
beforeEach(async () => {
  vi.resetModules()
  toasts = await import('./notify.tsx')
  vi.useFakeTimers()
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

const titles = () => toasts.shownToasts().map(({ title }) => title)

test('a notification stays five seconds', () => {
  expect(toasts.NOTIFICATION_MS).toBe(5000)
  toasts.notify({ tone: 'pos', title: 'Salvo' })
  vi.advanceTimersByTime(4999)
  expect(titles()).toEqual(['Salvo'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
})

test('its time stands still while it is held', () => {
  const id = toasts.notify({ tone: 'info', title: 'Novo' })
  vi.advanceTimersByTime(3000)
  toasts.pauseToast(id)
  vi.advanceTimersByTime(60_000)
  toasts.releaseToast(id)
  vi.advanceTimersByTime(1999)
  expect(titles()).toEqual(['Novo'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual([])
})

test('one event has one notification: the same id replaces it, with its full time', () => {
  toasts.notify({ id: 'slow', tone: 'warn', title: 'Demorando' })
  vi.advanceTimersByTime(4000)
  toasts.notify({ id: 'slow', tone: 'warn', title: 'Demorando mais' })
  vi.advanceTimersByTime(4000)
  expect(titles()).toEqual(['Demorando mais'])
  vi.advanceTimersByTime(1000)
  expect(titles()).toEqual([])
})

test('the oldest leaves for a fourth, and errors stay', () => {
  for (const title of ['1', '2', '3', '4']) toasts.notify({ tone: 'neg', title })
  vi.advanceTimersByTime(60_000)
  expect(titles()).toEqual(['2', '3', '4'])
})
