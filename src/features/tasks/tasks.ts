import { z } from 'zod'
import { MOST_TIMES, RECURRENCES } from '#domain/tasks/tasks.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { id, isoTime, many, pageAnswer, pageQuery, rowTime } from '#kit/fields.ts'
import { resource } from '#kit/resource.ts'
import * as at from './addresses.ts'

const plain = resource({
  ...at.taskTable,
  table: 'tasks',
  title: 'Tarefas',
  singular: 'Tarefa',
  gender: 'f',
  fields: {
    name: { label: 'Tarefa', kind: 'text', required: true, max: 120 },
    description: { label: 'Descrição', kind: 'longtext', required: true, max: 4000, inList: false },
    limitDate: { label: 'Data limite', kind: 'date', column: 'limit_date', required: true, filter: true, inList: true },
    ownerId: {
      label: 'Responsável',
      kind: 'reference',
      column: 'owner_id',
      to: { table: 'users', list: at.colleagues, rows: 'users', name: 'name' },
      required: true,
      filter: true,
      inList: true,
    },
    status: {
      label: 'Status',
      kind: 'choice',
      required: true,
      default: 'pending',
      options: { delayed: '🚩 Atrasada', pending: '🔄 Pendente', finished: '✅ Finalizada' },
      filter: true,
      inList: true,
    },
    priority: {
      label: 'Prioridade',
      kind: 'choice',
      required: true,
      default: 'none',
      options: { high: '⚡⚡⚡ Alta', medium: '⚡⚡ Média', low: '⚡ Baixa', none: '😉 Nenhuma' },
      filter: true,
      inList: true,
    },
    remindAt: { label: 'Lembrete', kind: 'datetime', column: 'remind_at', inList: false },
    comments: { label: 'Comentários', kind: 'longtext', max: 4000, inList: false },
  },
  search: ['name', 'description', 'comments'],
  order: 'limitDate',
  notFound: 'ERR_NO_TASK_FOUND',
})

const row = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  limitDate: z.string(),
  ownerId: z.number().int().nullable(),
  status: z.enum(['delayed', 'pending', 'finished']),
  priority: z.enum(['high', 'medium', 'low', 'none']),
  comments: z.string(),
  /** Time of the owner's reminder. */
  remindAt: rowTime.nullable(),
  /** Id of the author. */
  userId: z.number().int().nullable(),
  /** Days between the tasks of a series, and their number; 1: a single task. */
  recurrence: z.number().int(),
  recurrenceTimes: z.number().int(),
  ticketId: z.number().int().nullable(),
  contactId: z.number().int().nullable(),
  /** Opportunity; its contact is the task's contact. */
  opportunityId: z.number().int().nullable(),
  createdAt: rowTime,
  updatedAt: rowTime,
})

/** Task, as API responses return it. */
export type Task = z.output<typeof row>

const links = {
  ticketId: id.nullable().optional(),
  contactId: id.nullable().optional(),
  /** Opportunity; its contact replaces the given one. */
  opportunityId: id.nullable().optional(),
}

const created = plain.ops.create.body.extend({
  ...links,
  recurrence: z.literal([...RECURRENCES], { error: 'Escolha 1, 7, 30, 45, 60, 75 ou 90 dias.' }).default(1),
  recurrenceTimes: z
    .number({ error: 'Informe quantas vezes.' })
    .int('Informe um número inteiro.')
    .min(1, 'Pelo menos uma vez.')
    .max(MOST_TIMES, `No máximo ${MOST_TIMES} vezes.`)
    .default(1),
})

const changed = plain.ops.update.body.extend(links)

/** Resource of tasks: users see those that they own or created, leads see all. */
export const tasks = {
  ...plain,
  ops: {
    ...plain.ops,
    list: {
      ...plain.ops.list,
      query: plain.ops.list.query.extend({
        /** Only tasks with these ids. */
        ids: many(id),
        ticketId: id.optional(),
        contactId: id.optional(),
        opportunityId: id.optional(),
      }),
      returns: z.object({ items: z.array(row), ...pageAnswer }),
    },
    get: { ...plain.ops.get, returns: row },
    create: { ...plain.ops.create, body: created, returns: row },
    update: { ...plain.ops.update, body: changed, returns: row },
  },
} as const

/** API contract of the number of tasks that a user has to do. */
export const taskCounts = contract(at.taskCounts, {
  mine: {
    summary: 'Quantas tarefas próprias estão atrasadas ou vencem hoje',
    returns: z.object({ delayed: z.number().int(), today: z.number().int() }),
  },
})

/** Notifications to a task's owner: assigned, or reminded. */
export const taskEvents = events(at.taskEvents, {
  notice: z.object({
    id: z.number().int(),
    name: z.string(),
    reason: z.enum(['assigned', 'reminder']),
    /** User who assigned the task. */
    by: z.string().nullable(),
  }),
})

/** API contract of tasks' logs. */
export const taskLogs = contract(at.taskLogs, {
  list: {
    summary: 'O histórico das tarefas de uma pessoa, do mais novo ao mais antigo',
    params: z.object({ userId: id }),
    query: pageQuery,
    returns: z.object({
      logs: z.array(
        z.object({
          id: z.number().int(),
          todoListId: z.number().int(),
          name: z.string(),
          type: z.enum(['created', 'changed', 'finished', 'reopened', 'delayed']),
          userId: z.number().int().nullable(),
          /** Changed fields, each with old and new value. */
          changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
          createdAt: isoTime,
        }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_USER_FOUND', 'ERR_NO_PERMISSION', 'ERR_PAGE_TOO_FAR'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    tasks: typeof tasks.ops
    taskLogs: typeof taskLogs
    taskCounts: typeof taskCounts
  }
  interface Events {
    taskEvents: typeof taskEvents
  }
}
