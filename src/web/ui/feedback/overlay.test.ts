import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hideOverlay, OVERLAY_HIDE_MS, OVERLAY_MIN_INTERVAL_MS, overlayText, showOverlay } from './overlay.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('the constants are those of the specification', () => {
  expect([OVERLAY_MIN_INTERVAL_MS, OVERLAY_HIDE_MS]).toEqual([2000, 1000])
})

test('appears for the first call, not for one within 2 s, and leaves a second after the work', () => {
  showOverlay(undefined, 10_000)
  expect(overlayText()).toBe('Estamos trabalhando...')
  hideOverlay()
  vi.advanceTimersByTime(999)
  expect(overlayText()).not.toBeNull()
  vi.advanceTimersByTime(1)
  expect(overlayText()).toBeNull()
  showOverlay('Importando...', 12_000)
  expect(overlayText()).toBeNull()
  showOverlay('Importando...', 14_001)
  expect(overlayText()).toBe('Importando...')
})

test('work that begins while it is leaving keeps it', () => {
  showOverlay(undefined, 30_000)
  hideOverlay()
  vi.advanceTimersByTime(500)
  showOverlay('Saindo...', 33_000)
  vi.advanceTimersByTime(5000)
  expect(overlayText()).toBe('Saindo...')
  hideOverlay()
  vi.advanceTimersByTime(1000)
})
