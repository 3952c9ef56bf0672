import { z } from 'zod'
import { text } from '#kit/fields.ts'

/** What a change of a chat flow may carry beside its draft; what is left out stays. */
export const flowChanges = z
  .strictObject({ name: text(100, 1), isActive: z.boolean(), celularTeste: text(30).nullable() })
  .partial()

/** What a new chat flow is made from. */
export const flowForm = flowChanges.required({ name: true })
