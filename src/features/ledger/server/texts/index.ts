export { fillIn, type Speaker } from './fill-in.ts'
export { findMachines, findSubjects } from './queries.ts'
