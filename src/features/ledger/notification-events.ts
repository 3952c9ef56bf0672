import { z } from 'zod'
import { events } from '#kit/events.ts'
import * as at from './event-addresses.ts'

/** Sent to users with a new notification, or who have read it elsewhere; details come from the list. */
export const notificationEvents = events(at.notificationEvents, {
  changed: z.object({ ticketId: z.number().int().nullable() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    notificationEvents: typeof notificationEvents
  }
}
