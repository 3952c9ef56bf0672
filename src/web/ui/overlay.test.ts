import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hideOverlay, overlayText, showOverlay } from './overlay.tsx'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

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
