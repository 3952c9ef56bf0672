import { text } from '#kit/fields.ts'

/** A text that a customer is sent while nobody is there; variables in double braces. */
export const absenceText = text(1000)
