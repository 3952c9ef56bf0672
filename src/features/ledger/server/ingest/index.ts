export { wakeIngest } from './ingest.ts'
export { appendEvents, hasRoom, isBehind, receive } from './journal.ts'
