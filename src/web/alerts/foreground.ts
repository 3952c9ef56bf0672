import { onArrival } from '../shell/route.ts'
import { acquirePresence, foregroundOf, VISIBLE } from './presence.ts'

/**
 * Publishes to the other tabs whether this one is on screen, and the path that its user looks at; `onPath` receives that
 * path.
 */
export function watchForeground(onPath: (path: string) => void): void {
  let published: readonly string[] = []
  let releases: readonly (() => void)[] = []
  const look = () => {
    const isVisible = document.visibilityState === 'visible'
    const path = location.pathname.replace(/\/$/, '')
    const next = isVisible ? [VISIBLE, ...(document.hasFocus() ? [foregroundOf(path)] : [])] : []
    if (next.join() === published.join()) return
    published = next
    const before = releases
    releases = next.map(acquirePresence)
    for (const release of before) release()
    if (next.length > 1) onPath(path)
  }
  for (const event of ['focus', 'blur'] as const) addEventListener(event, look)
  document.addEventListener('visibilitychange', look)
  onArrival(look)
  look()
}
