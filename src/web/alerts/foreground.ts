import { onArrival } from '../shell/route.ts'
import { acquirePresence, foregroundOf, VISIBLE } from './presence.ts'

/** Tells the other tabs whether this one is on screen, and which path a person looks at in it; `told` hears that path. */
export function watchForeground(told: (path: string) => void): void {
  let standing: readonly string[] = []
  let drops: readonly (() => void)[] = []
  const look = () => {
    const isVisible = document.visibilityState === 'visible'
    const path = location.pathname.replace(/\/+$/, '')
    const next = isVisible ? [VISIBLE, ...(document.hasFocus() ? [foregroundOf(path)] : [])] : []
    if (next.join() === standing.join()) return
    standing = next
    const before = drops
    drops = next.map(acquirePresence)
    for (const drop of before) drop()
    if (next.length > 1) told(path)
  }
  for (const event of ['focus', 'blur'] as const) addEventListener(event, look)
  document.addEventListener('visibilitychange', look)
  onArrival(look)
  look()
}
