export { interactiveOf } from './interactive.ts'
export { mailAnswer } from './mail-answer.ts'
export { type OutgoingFile, withOutgoing } from './outgoing.ts'
export {
  carries,
  checkBody,
  isTooLong,
  requireCarried,
  requireSchedulable,
  type SendInput,
  sendMessages,
  sendWithin,
  storeMessages,
  storeNote,
  undoableUntil,
  wishOf,
  withSignature,
} from './send.ts'
