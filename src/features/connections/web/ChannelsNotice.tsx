import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { isSettingOn, useMay } from '#web/session/permissions.ts'

const ChannelsBar = lazyPart(async () => (await import('./ChannelsBar.tsx')).ChannelsBar)
const OutageBar = lazyPart(async () => (await import('./OutageBar.tsx')).OutageBar)

/**
 * Bar above every screen with the channels that are down, and with the status of all if the company wants it
 * (`fixConnections`).
 */
export function ChannelsNotice() {
  return useMay()('connections:read') ? (
    <Suspense>
      {isSettingOn('fixConnections') && <ChannelsBar />}
      <OutageBar />
    </Suspense>
  ) : null
}
