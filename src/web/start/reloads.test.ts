import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const page = new EventTarget()
const screen = Object.assign(new EventTarget(), { hidden: false, getElementById: () => null })
const reload = vi.fn()
let parts: typeof import('./reloads.ts')
let unsaved: typeof import('../unsaved.ts')
let stop: () => void

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers()
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  vi.stubGlobal('document', screen)
  vi.stubGlobal('location', { reload, pathname: '/home' })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  screen.hidden = false
  reload.mockReset()
  parts = await import('./reloads.ts')
  unsaved = await import('../unsaved.ts')
  stop = parts.watchReloads()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a new release waits until nobody has touched the page for a minute', () => {
  parts.wantReload('2')
  vi.advanceTimersByTime(50_000)
  page.dispatchEvent(new Event('keydown'))
  vi.advanceTimersByTime(60_000)
  expect(reload).not.toHaveBeenCalled()
  vi.advanceTimersByTime(30_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a page that nobody sees is reloaded at once, once for each release', () => {
  parts.wantReload('2')
  screen.hidden = true
  screen.dispatchEvent(new Event('visibilitychange'))
  expect(reload).toHaveBeenCalledTimes(1)
  parts.wantReload('2')
  vi.advanceTimersByTime(600_000)
  expect(reload).toHaveBeenCalledTimes(1)
  parts.wantReload('3')
  expect(reload).toHaveBeenCalledTimes(2)
})

test('work that is not saved keeps the page, hidden or not', () => {
  const release = unsaved.markUnsaved('form')
  screen.hidden = true
  parts.wantReload('2')
  vi.advanceTimersByTime(600_000)
  expect(reload).not.toHaveBeenCalled()
  release()
  vi.advanceTimersByTime(30_000)
  expect(reload).toHaveBeenCalledTimes(1)
})
