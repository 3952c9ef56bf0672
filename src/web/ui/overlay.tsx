import { Loader } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import css from './overlay.module.css'

const minInterval = 2000
const hideAfter = 1000

let shown: string | null = null
let lastCall = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined
const readers = new Set<() => void>()
const set = (next: string | null) => {
  shown = next
  for (const tell of readers) tell()
}

/** Covers the page for blocking work; calls within 2 s of the one before show nothing (specification §9). */
export function showOverlay(text = 'Estamos trabalhando...', now = Date.now()): void {
  const isSoon = now - lastCall <= minInterval
  lastCall = now
  if (isSoon) return
  clearTimeout(timer)
  set(text)
}

/** Uncovers the page one second later. */
export function hideOverlay(): void {
  clearTimeout(timer)
  timer = setTimeout(() => set(null), hideAfter)
}

/** What the overlay says now; null when it is away. */
export const overlayText = (): string | null => shown

/** Where the overlay appears; mounted once. */
export function Overlay() {
  const text = useSyncExternalStore((reader) => {
    readers.add(reader)
    return () => readers.delete(reader)
  }, overlayText)
  if (text === null) return null
  return (
    <div className={css.cover} role="alert" aria-busy="true">
      <div>
        <Loader size={22} />
        {text}
      </div>
    </div>
  )
}
