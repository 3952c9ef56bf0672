export { wakeIngest } from './ingest.ts'
export { appendEvents, hasRoom, isBehind, receive } from './journal.ts'
export { FROM_HISTORY } from './queries-placing.ts'
