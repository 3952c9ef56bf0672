export { type Delay, EVERYBODY, listDelays, onDelays } from './delays.ts'
export { anyWaiting, releaseEvents, removeJournal, removeProcessed } from './journal-queries.ts'
