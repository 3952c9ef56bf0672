export { performerOf, performOn, refusalOf, rendererFor } from './actions.ts'
export { enqueueOpenings, openJobValue } from './open-job.ts'
export { findSpeakers, forgetBulkMessages, insertBulkMessages, lockBulkMessages } from './queries-actions.ts'
export { actUnattended } from './unattended.ts'
