import { z } from 'zod'
import { events } from '#kit/events.ts'
import { isoTime } from '#kit/fields.ts'

/** What keeps messages from coming in, as people read it. */
const CAUSES = ['disk', 'database', 'other'] as const

/** What is told of the journal: that its list has changed, and that messages are late in coming in (null: no longer). */
export const journalEvents = events({
  changed: { channel: 'journal', type: 'journal:changed', kept: true, payload: z.object({}) },
  delay: {
    channel: 'installation',
    type: 'installation:delay',
    kept: false,
    payload: z
      .object({
        since: isoTime,
        /** For those who can do something about it. */
        cause: z.enum(CAUSES).nullable(),
        /** How many companies wait, for the superadmin; null: nobody counted, or all of them. */
        companies: z.number().int().nullable(),
      })
      .nullable(),
  },
})
