import { Suspense } from 'react'
import { journalEvents } from '#features/ledger/event-addresses.ts'
import type { Payload } from '#kit/events.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { connectionState, on } from '#web/realtime/realtime.ts'
import { createStore } from '#web/store.ts'

const DelayBar = lazyPart(async () => (await import('./DelayBar.tsx')).DelayBar)

type Delay = Payload<typeof journalEvents.delay>

/** Store of the present delay, sent while it lasts and at each connection; unknown in between. */
const currentDelay = createStore<Delay>(null, (set) => {
  const offs = [on(journalEvents.delay, set), connectionState.subscribe((state) => state !== 'open' && set(null))]
  return () => {
    for (const off of offs) off()
  }
})

/** Notice on every screen while incoming messages are delayed. */
export function DelayNotice() {
  const now = currentDelay.use()
  return (
    now && (
      <Suspense>
        <DelayBar {...now} />
      </Suspense>
    )
  )
}
