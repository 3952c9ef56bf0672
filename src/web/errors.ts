import { addErrors, type ErrorPart } from '#kit/errors.ts'

// What each feature has written down as its errors, found by the name of the file. Answers bring their sentences along:
// the catalogue comes with what shows codes that were stored.
const parts = import.meta.glob<ErrorPart>('../features/*/errors.ts', { eager: true, import: 'errors' })
for (const part of Object.values(parts)) addErrors(part)
