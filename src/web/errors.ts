import { addErrors, type ErrorPart } from '#kit/errors.ts'

// Collects the features' errors by file name. Answers contain their sentences: the catalogue is only loaded by screens
// that show stored codes.
const parts = import.meta.glob<ErrorPart>('../features/*/errors.ts', { eager: true, import: 'errors' })
for (const part of Object.values(parts)) addErrors(part)
