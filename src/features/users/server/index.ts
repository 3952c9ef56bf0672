export { addressOf, confirmation, confirmationEnd, confirmationPath, newConfirmation } from './confirm.ts'
export { createUser, setPassword } from './people.ts'
export { findClaimed, proveEmail, tellProven } from './proof.ts'
