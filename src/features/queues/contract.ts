import { z } from 'zod'
import { DISTRIBUTION_MODES } from '#domain/distribution/distribute.ts'
import { keysIn } from '#domain/keys.ts'
import { AUTO_CLOSE_RULES, AUTO_CLOSE_TIMES } from '#domain/tickets/auto-close.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { done, id, isoTime, pageAnswer } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { queueChanges, queueForm } from './forms.ts'
import { queueTable } from './table.ts'

const queueRow = z.object({
  id: z.number().int(),
  queue: z.string(),
  color: z.string(),
  isActive: z.boolean(),
  /** Number of users in the queue. */
  userCount: z.number().int(),
  /** Distribution mode; null: the company's. */
  distribution: z.enum(keysIn(DISTRIBUTION_MODES)).nullable(),
  /** Whether it has opening hours of its own. */
  hasHours: z.boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Queue, as lists and pickers read it. */
export type QueueRow = z.output<typeof queueRow>

const queueDetail = queueRow.extend({
  businessHours: businessWeek.nullable(),
  messageBusinessHours: z.string(),
  autoClose: z.enum(keysIn(AUTO_CLOSE_RULES)),
  autoCloseTime: z.enum(keysIn(AUTO_CLOSE_TIMES)),
  autoCloseMessage: z.string(),
  overflowQueueId: z.number().int().nullable(),
  overflowMinutes: z.number().int().nullable(),
  userIds: z.array(z.number().int()),
})

/** API contract of queues. */
export const queues = contract(at.queues, {
  list: {
    summary: 'Filas por nome',
    query: listQuery(queueTable),
    returns: z.object({ items: z.array(queueRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    summary: 'Uma fila, com horário e pessoas',
    returns: queueDetail,
    errors: ['ERR_NO_QUEUE_FOUND'],
  },
  create: {
    summary: 'Nova fila',
    body: queueForm,
    returns: queueDetail,
    errors: ['ERR_DUPLICATED', 'ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma fila; o que não vem no pedido fica como está',
    body: queueChanges,
    returns: queueDetail,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED', 'ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma fila em que não há atendimentos',
    returns: done,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_QUEUE_TICKET_EXISTS'],
    audit: true,
  },
  replace: {
    summary: 'Mover todos os atendimentos de uma fila para outra e excluí-la',
    body: z.strictObject({ queueId: id }),
    returns: z.object({ moved: z.number().int() }),
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_NO_PERMISSION'],
    audit: true,
  },
})

/** Events of queues: the id of the changed one, without data. */
export const queueEvents = events(at.queueEvents, {
  changed: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    queues: typeof queues
  }
  interface Events {
    queueEvents: typeof queueEvents
  }
}
