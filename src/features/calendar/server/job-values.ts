import { z } from 'zod'

/** Name and schema of the job that sends an event's pending change. */
export const pushJobValue = { name: 'calendar:push', schema: z.object({ eventId: z.string() }) }
