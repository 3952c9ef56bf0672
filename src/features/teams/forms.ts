import { z } from 'zod'
import { text } from '#kit/fields.ts'

const fields = { group: text(60, 1), isActive: z.boolean() }

/** Schema of changes to a team; omitted fields remain unchanged. */
export const teamChanges = z.strictObject(fields).partial()

/** Schema of a new team. */
export const teamForm = teamChanges.required({ group: true })
