import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { businessWeek } from '#kit/fields/week.ts'
import { color, done, id, idParams, isoTime, pageAnswer, text } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import { queueTable } from './table.ts'

const queueRow = z.object({
  id: z.number().int(),
  queue: z.string(),
  color: z.string(),
  isActive: z.boolean(),
  /** How many people work in it. */
  userCount: z.number().int(),
  /** Whether it has opening hours of its own. */
  hasHours: z.boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** A queue as lists and pickers read it. */
export type QueueRow = z.output<typeof queueRow>

const queueDetail = queueRow.extend({
  businessHours: businessWeek.nullable(),
  messageBusinessHours: z.string(),
  userIds: z.array(z.number().int()),
})

const fields = {
  queue: text(60, 1),
  color,
  isActive: z.boolean(),
  /** Hours of its own, before those of the company; null: none. */
  businessHours: businessWeek.nullable(),
  /** What who writes outside of them is told; empty: what the company tells. */
  messageBusinessHours: text(1000),
  /** Who works in it. */
  userIds: z.array(id).max(500, 'Escolha no máximo 500.'),
}
const changes = z.strictObject(fields).partial()

/** What a new queue is made from. */
export const queueForm = changes.required({ queue: true })

const touches = ['queues', 'users', 'settings']

/** Queues: where tickets wait, and what agents are given. */
export const queues = contract('queues', {
  list: {
    method: 'GET',
    path: '/queue',
    summary: 'Filas por nome',
    can: 'queues:read',
    query: listQuery(queueTable),
    returns: z.object({ items: z.array(queueRow), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: {
    method: 'GET',
    path: '/queue/:id',
    summary: 'Uma fila, com horário e pessoas',
    can: 'queues:read',
    params: idParams,
    returns: queueDetail,
    errors: ['ERR_NO_QUEUE_FOUND'],
  },
  create: {
    method: 'POST',
    path: '/queue',
    summary: 'Nova fila',
    can: 'queues:write',
    body: queueForm,
    returns: queueDetail,
    errors: ['ERR_DUPLICATED', 'ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    touches,
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/queue/:id',
    summary: 'Alterar uma fila; o que não vem no pedido fica como está',
    can: 'queues:write',
    params: idParams,
    body: changes,
    returns: queueDetail,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_DUPLICATED', 'ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION'],
    touches,
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/queue/:id',
    summary: 'Excluir uma fila em que não há atendimentos',
    can: 'queues:write',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_QUEUE_TICKET_EXISTS'],
    touches,
    audit: true,
  },
  replace: {
    method: 'POST',
    path: '/queue/:id/replace',
    summary: 'Mover todos os atendimentos de uma fila para outra e excluí-la',
    can: 'queues:write',
    params: idParams,
    body: z.strictObject({ queueId: id }),
    returns: z.object({ moved: z.number().int() }),
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_NO_PERMISSION'],
    touches,
    audit: true,
  },
})

/** What is told about queues: which one changed, without data. */
export const queueEvents = events({
  changed: {
    channel: 'queues',
    type: 'queues:changed',
    kept: true,
    payload: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
  },
})
