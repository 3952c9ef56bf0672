import { z } from 'zod'
import { events } from '#kit/events.ts'
import * as at from './event-addresses.ts'

/** Events of contacts: ids only, because a contact's visibility depends on its wallets. */
export const contactEvents = events(at.contactEvents, {
  update: z.object({ id: z.number().int() }),
  delete: z.object({ id: z.number().int() }),
  moved: z.object({ ids: z.array(z.number().int()) }),
})

declare module '#kit/contract.ts' {
  interface Events {
    contactEvents: typeof contactEvents
  }
}
