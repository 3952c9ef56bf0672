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
  /** When its owner is reminded of it. */
  remindAt: rowTime.nullable(),
  /** Who made it. */
  userId: z.number().int().nullable(),
  /** Days between one and the next of its series, and how many those are; 1: it is one by itself. */
  recurrence: z.number().int(),
  recurrenceTimes: z.number().int(),
  ticketId: z.number().int().nullable(),
  contactId: z.number().int().nullable(),
  /** The opportunity; its contact is the task's. */
  opportunityId: z.number().int().nullable(),
  createdAt: rowTime,
  updatedAt: rowTime,
})

/** A task, as a browser reads it. */
export type Task = z.output<typeof row>

const links = {
  ticketId: id.nullable().optional(),
  contactId: id.nullable().optional(),
  /** Brings its contact along, whatever is said of one. */
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

/** Tasks: a person sees those that are theirs to do or that they made, leads see all. */
export const tasks = {
  ...plain,
  ops: {
    ...plain.ops,
    list: {
      ...plain.ops.list,
      query: plain.ops.list.query.extend({
        /** These alone. */
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

/** How much a person has to do now. */
export const taskCounts = contract(at.taskCounts, {
  mine: {
    summary: 'Quantas tarefas próprias estão atrasadas ou vencem hoje',
    returns: z.object({ delayed: z.number().int(), today: z.number().int() }),
  },
})

/** What a task's owner is notified of at once: that they were given it, or that they wanted to be reminded. */
export const taskEvents = events(at.taskEvents, {
  notice: z.object({
    id: z.number().int(),
    name: z.string(),
    reason: z.enum(['assigned', 'reminder']),
    /** Who gave it. */
    by: z.string().nullable(),
  }),
})

/** A notice of a task. */
export type TaskNotice = z.output<(typeof taskEvents.notice)['payload']>

/** What became of tasks. */
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
          /** Fields that were changed, each with what it was and what it became. */
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
