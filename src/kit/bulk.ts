import { z } from 'zod'
import * as at from './bulk-events.ts'
import { events } from './events.ts'
import { isoTime, uuid } from './fields.ts'

const count = z.number().int()

/** How an operation on many records stands; a preview has no id and changes nothing. */
export const bulkAnswer = z.object({
  id: uuid.nullable(),
  status: z.enum(['preview', 'running', 'paused', 'canceled', 'done', 'undoing', 'undone']),
  /** Of which kind the records are: `tickets`. */
  kind: z.string(),
  action: z.string(),
  total: count,
  /** How many were changed, or stood as they should; of a preview, how many would. */
  done: count,
  refusedCount: count,
  /** The first thousand. */
  refused: z.array(z.object({ id: count, code: z.string(), text: z.string() })),
  /** Until then it can be taken back; null where nothing was changed, or it goes on. */
  undoUntil: isoTime.nullable(),
})

/** How an operation on many records stands, as a browser reads it. */
export type BulkAnswer = z.output<typeof bulkAnswer>

/** What an undo answers. */
export const undone = z.object({
  restored: count,
  /** With who changed it since, and when; null where nobody of the team did. */
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

/** What an undo answers, as a browser reads it. */
export type Undone = z.output<typeof undone>

/** Told to whom an operation belongs, after each block. */
export const bulkEvents = events(at.bulkEvents, { progress: bulkAnswer.omit({ refused: true }) })

declare module './contract.ts' {
  interface Events {
    bulkEvents: typeof bulkEvents
  }
}
