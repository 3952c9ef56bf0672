import { z } from 'zod'
import { text } from '#kit/fields.ts'

const fields = { group: text(60, 1), isActive: z.boolean() }

/** What a change of a team may carry; what is left out stays. */
export const teamChanges = z.strictObject(fields).partial()

/** What a new team is made from. */
export const teamForm = teamChanges.required({ group: true })
