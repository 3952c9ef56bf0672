export { fillIn, type Speaker } from './fill-in.ts'
export { findSubjects } from './queries.ts'
