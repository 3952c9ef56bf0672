import { z } from 'zod'
import { id, text } from '#kit/fields.ts'

/** Schema of a new announcement; without companies it goes to all. */
export const announcementForm = z.strictObject({
  message: text(2000, 1),
  tenantIds: z.array(id).max(1000).default([]),
})
