import { hasUnsaved } from '../unsaved.ts'

const tickMs = 30_000
const limitTicks = 7200

/**
 * Reloads a page that was not touched for 7200 ticks of 30 s (specification §4): a click, a mouse move or a key restarts the
 * count, and unsaved changes postpone it (decision A10). Returns a function that stops it.
 */
export function watchIdle(reload: () => void = () => location.reload()): () => void {
  let ticks = 0
  const touch = () => {
    ticks = 0
  }
  const events = ['click', 'mousemove', 'keydown'] as const
  for (const event of events) addEventListener(event, touch, { passive: true })
  const timer = setInterval(() => {
    ticks += 1
    if (ticks >= limitTicks && !hasUnsaved()) reload()
  }, tickMs)
  return () => {
    for (const event of events) removeEventListener(event, touch)
    clearInterval(timer)
  }
}
