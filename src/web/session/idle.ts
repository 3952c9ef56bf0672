import { hasUnsaved } from '../unsaved.ts'

const tickMs = 30_000
const limitTicks = 7200

/**
 * Reloads a page that nobody has touched for 7200 ticks of 30 s (specification §4): a click, a mouse move or a key starts
 * the count anew, and what is not saved yet postpones it (decision A10). Answers how to stop.
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
