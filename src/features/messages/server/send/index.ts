export { interactiveOf } from './interactive.ts'
export { mailAnswer } from './mail-answer.ts'
export { type OutgoingFile, withOutgoing } from './outgoing.ts'
export { carries, checkBody, isTooLong, requireCarried, requireSchedulable, sendMessages, sendWithin, storeMessages, storeNote, type SendInput, undoableUntil, wishOf, withSignature } from './send.ts'
