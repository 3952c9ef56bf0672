import { deferred } from '#web/start/deferred.ts'

export { DeviceNotices } from './DeviceNotices.tsx'

deferred(async () => (await import('./start.ts')).startPush)
