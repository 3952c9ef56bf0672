// Two lists of one kind come together.
export { Notes } from './Notes.tsx'
export { Protocols } from './Protocols.tsx'
