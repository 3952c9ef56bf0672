import { z } from 'zod'
import { events } from '#kit/events.ts'

/** Told when support comes and when it is sent away. */
export const supportEvents = events({
  changed: { channel: 'support', type: 'support:changed', kept: true, payload: z.object({ isActive: z.boolean() }) },
})
