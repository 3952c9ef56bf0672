import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'

export { DeviceNotices } from './DeviceNotices.tsx'

deferred(async () => (await import('./start.ts')).startPush)

/** Notices of devices on which the product is closed: every screen receives what is touched in one. */
export const pushWeb: WebFeature = { screens: [] }
