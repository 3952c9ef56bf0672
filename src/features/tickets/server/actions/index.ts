export { performerOf, performOn, refusalOf, rendererFor } from './actions.ts'
export { findSpeakers, forgetBulkMessages, insertBulkMessages, lockBulkMessages } from './queries-actions.ts'
export { actUnattended } from './unattended.ts'
