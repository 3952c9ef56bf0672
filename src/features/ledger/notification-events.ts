import { z } from 'zod'
import { events } from '#kit/events.ts'
import * as at from './event-addresses.ts'

/** Told to those whom something new concerns, or who have read it elsewhere; what it is, the list says. */
export const notificationEvents = events(at.notificationEvents, {
  changed: z.object({ ticketId: z.number().int().nullable() }),
})

declare module '#kit/contract.ts' {
  interface Events {
    notificationEvents: typeof notificationEvents
  }
}
