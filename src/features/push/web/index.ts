import type { WebFeature } from '#web/shell/screens.ts'
import { deferred } from '#web/start/deferred.ts'

export { DeviceNotices } from './DeviceNotices.tsx'

const start = async () => (await import('./start.ts')).startPush
// Others load it with the switch.
if (globalThis.localStorage?.getItem('guiche.push')) deferred(start)

/** Web part of the feature `push`: push notifications to devices on which the product is closed (decision 0043). */
export const pushWeb: WebFeature = { screens: [] }
