import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'

const ChannelsBar = lazyPart(async () => (await import('./ChannelsBar.tsx')).ChannelsBar)

/** Shows above every screen how each channel stands, where the company wants it (`fixConnections`). */
export function ChannelsNotice() {
  return useMay()('connections:read') && isSettingOn('fixConnections') ? (
    <Suspense>
      <ChannelsBar />
    </Suspense>
  ) : null
}
