export { notifyReceivers, renotify, withdrawTransfers } from './notifications.ts'
export { notifyReplay } from './notify-replay.ts'
