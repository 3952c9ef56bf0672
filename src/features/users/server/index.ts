export { addressOf, confirmationEnd, confirmationPath, newConfirmation } from './confirm.ts'
export { registerLeavingHooks } from './leaving.ts'
export { createUser, setPassword } from './people.ts'
export { findClaimed, proveEmail, publishProof } from './proof.ts'
export { findPerson } from './queries.ts'
export { replaceQueueUsers, savePhone } from './queries-change.ts'
export {
  bumpTokenVersion,
  insertSession,
  lockSession,
  markPresence,
  removeSessions,
  updateSession,
} from './queries-sessions.ts'
export { revokeSessions } from './revoke.ts'
export { serializeManagedUser } from './serializer.ts'
export { supportEnd } from './support-time.ts'
