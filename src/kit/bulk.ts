import { z } from 'zod'
import * as at from './bulk-events.ts'
import { events } from './events.ts'
import { isoTime, uuid } from './fields.ts'

const count = z.number().int()

/** State of an operation on many records; a preview has no id and changes nothing. */
export const bulkAnswer = z.object({
  id: uuid.nullable(),
  status: z.enum(['preview', 'running', 'paused', 'canceled', 'done', 'undoing', 'undone']),
  /** Kind of the records, such as `tickets`. */
  kind: z.string(),
  action: z.string(),
  total: count,
  /** Number of records that were changed or needed no change; in a preview, that would be. */
  done: count,
  refusedCount: count,
  /** The first thousand. */
  refused: z.array(z.object({ id: count, code: z.string(), text: z.string() })),
  /** End of the time in which it can be undone; null where nothing was changed, or it is still running. */
  undoUntil: isoTime.nullable(),
})

/** State of an operation on many records, as the browser receives it. */
export type BulkAnswer = z.output<typeof bulkAnswer>

/** Answer of an undo. */
export const undone = z.object({
  restored: count,
  /** With the user who changed it since, and when; null if no user did. */
  refused: z.array(
    z.object({
      id: count,
      code: z.string(),
      text: z.string(),
      by: z.string().nullable(),
      at: isoTime.nullable(),
    }),
  ),
})

/** Answer of an undo, as a browser reads it. */
export type Undone = z.output<typeof undone>

/** Sent to the owner of an operation after each block. */
export const bulkEvents = events(at.bulkEvents, { progress: bulkAnswer.omit({ refused: true }) })

declare module './contract.ts' {
  interface Events {
    bulkEvents: typeof bulkEvents
  }
}
