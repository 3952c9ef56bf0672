import { z } from 'zod'

/** The job that sends what waits of an event. */
export const pushJobValue = { name: 'calendar:push', schema: z.object({ eventId: z.string() }) }
