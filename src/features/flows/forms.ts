import { z } from 'zod'
import { text } from '#kit/fields.ts'

/** Body of a chat flow change, apart from the draft; absent fields stay. */
export const flowChanges = z
  .strictObject({ name: text(100, 1), isActive: z.boolean(), celularTeste: text(30).nullable() })
  .partial()

/** Body of a new chat flow. */
export const flowForm = flowChanges.required({ name: true })
