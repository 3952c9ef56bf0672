import { z } from 'zod'
import { events } from '#kit/events.ts'
import { isoTime } from '#kit/fields.ts'
import * as at from './event-addresses.ts'

/** Causes that keep messages from coming in, as the interface shows them. */
const CAUSES = ['disk', 'database', 'other'] as const

/** Events of the journal: its list has changed, and incoming messages are delayed (null: no longer). */
export const journalEvents = events(at.journalEvents, {
  changed: z.object({}),
  delay: z
    .object({
      since: isoTime,
      /** Cause of the delay, only for users who can act on it. */
      cause: z.enum(CAUSES).nullable(),
      /** Number of waiting companies, for the superadmin; null: unknown, or all. */
      companies: z.number().int().nullable(),
    })
    .nullable(),
})

declare module '#kit/contract.ts' {
  interface Events {
    journalEvents: typeof journalEvents
  }
}
