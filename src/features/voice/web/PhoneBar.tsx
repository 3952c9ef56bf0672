import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { connectionState } from '#web/realtime/realtime.ts'
import { useMay } from '#web/session/permissions.ts'

const Calling = lazyPart(async () => (await import('./Calling.tsx')).Calling)

let wasOpen = false

/** Voice calls for those who may make them; loaded once the page is connected. */
export function PhoneBar() {
  const mayCall = useMay()('voice:call')
  const isOpen = connectionState.use() === 'open'
  wasOpen ||= isOpen
  return mayCall && wasOpen ? (
    <Suspense>
      <Calling />
    </Suspense>
  ) : null
}
