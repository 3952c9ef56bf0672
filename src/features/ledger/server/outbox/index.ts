export { AHEAD, conversationsOf, enqueueSending, findSent, sendTurn, stopJob } from './outbox.ts'
export { lockPaceOf } from './pace.ts'
export { resolvePending, resumeSending } from './wake.ts'
export { isWritable, requireWritable, writableOf } from './window.ts'
