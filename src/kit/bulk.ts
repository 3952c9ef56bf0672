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
  /** First thousand refused records, each with its error code and text. */
  refused: z.array(z.object({ id: count, code: z.string(), text: z.string() })),
  /** End of the undo period; null if nothing was changed, or while the operation is running. */
  undoUntil: isoTime.nullable(),
})

/** State of an operation on many records, as the browser receives it. */
export type BulkAnswer = z.output<typeof bulkAnswer>

/** Schema of an undo's answer. */
export const undone = z.object({
  restored: count,
  /** Records that could not be restored, with the user who changed them since, and when; null if no user did. */
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

/** Undo's answer, as parsed by a browser. */
export type Undone = z.output<typeof undone>

/** Event sent to the owner of an operation after each block. */
export const bulkEvents = events(at.bulkEvents, { progress: bulkAnswer.omit({ refused: true }) })

declare module './contract.ts' {
  interface Events {
    bulkEvents: typeof bulkEvents
  }
}
