export { applyOwn } from './outcome.ts'
export { publishActed } from './publish.ts'
export { insertAct, lockForAct, moveActs, removeWaitingActs } from './queries.ts'
