import { z } from 'zod'
import { events } from '#kit/events.ts'
import { isoTime } from '#kit/fields.ts'
import * as at from './event-addresses.ts'

/** What keeps messages from coming in, as people read it. */
const CAUSES = ['disk', 'database', 'other'] as const

/** What is told of the journal: that its list has changed, and that messages are late in coming in (null: no longer). */
export const journalEvents = events(at.journalEvents, {
  changed: z.object({}),
  delay: z
    .object({
      since: isoTime,
      /** For those who can do something about it. */
      cause: z.enum(CAUSES).nullable(),
      /** How many companies wait, for the superadmin; null: nobody counted, or all of them. */
      companies: z.number().int().nullable(),
    })
    .nullable(),
})

declare module '#kit/contract.ts' {
  interface Events {
    journalEvents: typeof journalEvents
  }
}
