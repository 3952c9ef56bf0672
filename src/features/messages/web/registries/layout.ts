import { useState } from 'react'
import { createStore } from '#web/store.ts'

/** Layout by window width (visual language, section 6). */
export type Layout = 'phone' | 'narrow' | 'medium' | 'wide'

const bounds = [
  ['phone', matchMedia('(max-width: 599.98px)')],
  ['narrow', matchMedia('(max-width: 1023.98px)')],
  ['medium', matchMedia('(max-width: 1439.98px)')],
] as const

const now = (): Layout => bounds.find(([, query]) => query.matches)?.[0] ?? 'wide'

// Subscribed for the page's whole life, so that the first render has the right value.
const layout = createStore(now())
for (const [, query] of bounds) query.addEventListener('change', () => layout.set(now()))

/** Returns the current layout of the window. */
export const useLayout = (): Layout => layout.use()

/** Pane width set by the person and stored in this browser; `reset` restores the suggested width. */
export function useWidth(name: string, suggested: number, [least, most]: readonly [number, number]) {
  const key = `guiche.width.${name}`
  const [own, setOwn] = useState<number | null>(() => Number(localStorage.getItem(key)) || null)
  const set = (width: number) => {
    const next = Math.round(Math.min(most, Math.max(least, width)))
    localStorage.setItem(key, String(next))
    setOwn(next)
  }
  const reset = () => {
    localStorage.removeItem(key)
    setOwn(null)
  }
  return { width: own ?? suggested, least, most, set, reset }
}

/** Open state of the context panel; until the person decides, open where the window has room. */
export function useContextOpen(layout: Layout): [boolean, (open: boolean) => void] {
  const key = 'guiche.context'
  const [own, setOwn] = useState<string | null>(() => localStorage.getItem(key))
  const [drawer, setDrawer] = useState(false)
  if (layout === 'phone' || layout === 'narrow') return [drawer, setDrawer]
  const set = (open: boolean) => {
    localStorage.setItem(key, String(open))
    setOwn(String(open))
  }
  return [own === null ? layout === 'wide' : own === 'true', set]
}
