import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

/** What is told, and in which companies; none named: in all. */
export const announcementForm = z.strictObject({
  message: text(2000, 1),
  tenantIds: z.array(id).max(1000).default([]),
})
