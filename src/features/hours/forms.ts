import { text } from '#kit/fields.ts'

/** Schema of an absence message; may contain variables in double braces. */
export const absenceText = text(1000)
