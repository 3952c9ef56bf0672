import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { journalEvents } from '#features/conversations/journal-events.ts'
import type { Payload } from '#kit/events.ts'
import { lineState, on, onLineState } from '#web/realtime/realtime.ts'

const DelayBar = lazy(async () => ({ default: (await import('./DelayBar.tsx')).DelayBar }))

type Told = Payload<typeof journalEvents.delay>

/** What passes in a moment is not worth a word. */
const patienceMs = 2000

let told: Told = null

/** Told while it lasts, and again at every connection: between two of them nothing is known. */
function subscribe(reader: () => void): () => void {
  const set = (next: Told) => {
    told = next
    reader()
  }
  const offs = [on(journalEvents.delay, set), onLineState(() => lineState() !== 'open' && set(null))]
  return () => {
    for (const off of offs) off()
  }
}

/** Says on every screen that messages are late in coming in, for as long as it lasts. */
export function DelayNotice() {
  const now = useSyncExternalStore(subscribe, () => told)
  const [isLate, setLate] = useState(false)
  const isDelayed = now !== null
  useEffect(() => {
    setLate(false)
    if (!isDelayed) return
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isDelayed])
  if (!now || !isLate) return null
  return (
    <Suspense>
      <DelayBar {...now} />
    </Suspense>
  )
}
