import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { isoTime, uuid } from '#kit/fields.ts'

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
export const bulk = contract('bulk', {
  get: {
    method: 'GET',
    path: '/bulk/:id',
    summary: 'Andamento de uma ação em lote',
    can: 'session',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND'],
  },
  undo: {
    method: 'POST',
    path: '/bulk/:id/undo',
    summary: 'Desfazer uma ação em lote; o que outra pessoa alterou depois fica como está',
    can: 'session',
    mode: 'slow',
    params,
    returns: undone,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_UNDO_EXPIRED'],
  },
  pause: {
    method: 'POST',
    path: '/bulk/:id/pause',
    summary: 'Pausar uma ação em lote',
    can: 'session',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  resume: {
    method: 'POST',
    path: '/bulk/:id/resume',
    summary: 'Continuar uma ação em lote pausada',
    can: 'session',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  cancel: {
    method: 'POST',
    path: '/bulk/:id/cancel',
    summary: 'Parar uma ação em lote; o que já foi feito pode ser desfeito',
    can: 'session',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
})

/** Told to whom an operation belongs, after each block. */
export const bulkEvents = events({
  progress: { channel: 'bulk', type: 'bulk:progress', kept: true, payload: bulkAnswer.omit({ refused: true }) },
})
