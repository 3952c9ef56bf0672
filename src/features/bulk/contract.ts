import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { isoTime, uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()
const params = z.object({ id: uuid })

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

const undone = z.object({
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

/** Operations on many records: how they stand, and their undoing. Each belongs to its author and to admins. */
export const bulk = contract(at.bulk, {
  get: {
    summary: 'Andamento de uma ação em lote',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND'],
  },
  undo: {
    summary: 'Desfazer uma ação em lote; o que outra pessoa alterou depois fica como está',
    mode: 'slow',
    params,
    returns: undone,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_UNDO_EXPIRED'],
  },
  pause: {
    summary: 'Pausar uma ação em lote',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  resume: {
    summary: 'Continuar uma ação em lote pausada',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  cancel: {
    summary: 'Parar uma ação em lote; o que já foi feito pode ser desfeito',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
})

/** Told to whom an operation belongs, after each block. */
export const bulkEvents = events(at.bulkEvents, { progress: bulkAnswer.omit({ refused: true }) })

declare module '#kit/contract.ts' {
  interface Contracts {
    bulk: typeof bulk
  }
  interface Events {
    bulkEvents: typeof bulkEvents
  }
}
