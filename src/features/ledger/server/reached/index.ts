export { findContacts, findTicketsOfKeys } from './queries.ts'
