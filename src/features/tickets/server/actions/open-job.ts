import { z } from 'zod'
import { STATUSES } from '#domain/funnel/card.ts'

/**
 * The job that begins an opportunity of the contact of a conversation, once for each wish (`wish`); `responsibleId` null:
 * whoever has the conversation then. `days` or `date` (`YYYY-MM-DD`) say when it is expected.
 */
export const openJobValue = {
  name: 'funnel:open',
  schema: z.object({
    wish: z.string(),
    ticketId: z.number(),
    contactId: z.number(),
    name: z.string(),
    stageId: z.number(),
    responsibleId: z.number().nullable(),
    value: z.string(),
    days: z.number().nullable(),
    date: z.string().nullable(),
    status: z.enum(STATUSES),
    description: z.string(),
  }),
}
