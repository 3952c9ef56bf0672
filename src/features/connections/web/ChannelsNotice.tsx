import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'

const ChannelsBar = lazyPart(async () => (await import('./ChannelsBar.tsx')).ChannelsBar)
const DropsBar = lazyPart(async () => (await import('./DropsBar.tsx')).DropsBar)

/** Shows above every screen which channels are away, and how each stands where the company wants it (`fixConnections`). */
export function ChannelsNotice() {
  return useMay()('connections:read') ? (
    <Suspense>
      {isSettingOn('fixConnections') && <ChannelsBar />}
      <DropsBar />
    </Suspense>
  ) : null
}
