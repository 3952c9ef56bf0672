import { z } from 'zod'
import { events } from './events.ts'

/** Told to a person whose rights, menu or settings have just changed: the browser reads its standing again. */
export const permissionEvents = events({
  changed: { channel: 'standing', type: 'standing:changed', kept: false, payload: z.object({}) },
})
