import { dayIn } from '#domain/calendar/local-time.ts'
import { ownMember } from '#domain/keys.ts'
import { firstOf } from '#domain/present.ts'
import { daysOfSeries, logType, reminderOn, storedState } from '#domain/tasks/tasks.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail, required } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { plays } from '#server/env.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { startLooking } from '#server/looking.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { requireKnown } from '#server/resource.ts'
import { errors } from '../errors.ts'
import { permissions } from '../permissions.ts'
import { type Task, taskCounts, taskEvents, taskLogs, tasks } from '../tasks.ts'
import { delayAll } from './delay.ts'
import { opportunityPort } from './opportunities.ts'
import {
  countOpen,
  findColleague,
  findContact,
  insertLogs,
  pageOfLogs,
  seenBy,
  type TaskLinks,
  taskTable,
} from './queries.ts'
import { remindAll } from './remind.ts'

export { type OpportunityPort, registerOpportunities } from './opportunities.ts'
export { findOpenTask, nextTasksOf, tasksOn } from './queries.ts'

type UserCtx = Ctx & { user: Actor }

const EVERY_MS = 30_000

const routes = implement(tasks.ops, {
  list: async ({ db, user }, { query }) => {
    const { rows, page } = await taskTable.list(db, query, seenBy(user, query))
    return { items: rows, ...page }
  },
  get: async ({ db, user }, { params }) =>
    required(await taskTable.find(db, params.id, seenBy(user)), 'ERR_NO_TASK_FOUND'),
  create: async (ctx, { body }) => {
    const { recurrence, recurrenceTimes, ticketId, contactId, opportunityId, ...fields } = body
    await requireKnown(taskTable, ctx.db, fields)
    const links = await linksOf(ctx, { ticketId, contactId, opportunityId })
    const days = daysOfSeries(fields.limitDate, recurrence, recurrenceTimes)
    const { remindAt } = fields
    const made: Task[] = []
    for (const limitDate of days) {
      const reminder = remindAt ? { remindAt: reminderOn(remindAt, fields.limitDate, limitDate) } : {}
      const values = { ...fields, ...reminder, limitDate, status: storedState(fields.status, limitDate, todayOf(ctx)) }
      const finished_at = values.status === 'finished' ? ctx.now : null
      const also = { ...links, user_id: ctx.user.id, finished_at, recurrence, recurrence_times: days.length }
      made.push(await taskTable.insert(ctx.db, values, ctx.now, also))
    }
    await insertLogs(
      ctx.db,
      made.map(({ id }) => ({ taskId: id, type: 'created', userId: ctx.user.id })),
      ctx.now,
    )
    for (const { id } of made) publish(ctx, id, 'create')
    publishOpportunities(ctx, made)
    const first = firstOf(made)
    notifyOwner(ctx, first)
    ctx.audit({ after: { ...first, count: made.length } })
    return first
  },
  update: async (ctx, { params: { id }, body }) => {
    const before = await lockSeen(ctx, id)
    const { ticketId, contactId, opportunityId, ...fields } = body
    await requireKnown(taskTable, ctx.db, fields)
    const links = await linksOf(ctx, { ticketId, contactId, opportunityId })
    const { status = before.status, limitDate = before.limitDate } = fields
    const next = { ...fields, status: storedState(status, limitDate, todayOf(ctx)) }
    const also = {
      finished_at: next.status === 'finished' ? ctx.now : null,
      ...(fields.remindAt === undefined ? {} : { reminded_at: null }),
      ...links,
    }
    const after = required(await taskTable.update(ctx.db, id, next, ctx.now, also), 'ERR_NO_TASK_FOUND')
    const changes = changesOf(before, after)
    if (Object.keys(changes).length > 0) {
      const type = logType(before.status, after.status)
      await insertLogs(ctx.db, [{ taskId: id, type, userId: ctx.user.id, changes }], ctx.now)
    }
    ctx.audit({ before, after })
    publish(ctx, id, 'update')
    publishOpportunities(ctx, [before, after])
    if (after.ownerId !== before.ownerId) notifyOwner(ctx, after)
    return after
  },
  remove: async (ctx, { params: { id } }) => {
    const before = await lockSeen(ctx, id)
    await taskTable.remove(ctx.db, id)
    ctx.audit({ before })
    publish(ctx, id, 'delete')
    publishOpportunities(ctx, [before])
    return { message: 'ok' }
  },
})

const logRoutes = implement(taskLogs, {
  list: async ({ db, user }, { params: { userId }, query }) => {
    required(await findColleague(db, userId), 'ERR_NO_USER_FOUND')
    if (user.profile === 'user' && userId !== user.id) fail('ERR_NO_PERMISSION')
    const found = await pageOfLogs(db, userId, exactPageStartOf<[number]>(query, 1))
    const { rows: logs, paging } = pageOf(found, ({ id }) => [id])
    return { logs, count: logs.length, countIsCapped: paging.hasMore, ...paging }
  },
})

const countRoutes = implement(taskCounts, {
  mine: (ctx) => countOpen(ctx.db, ctx.user.id, todayOf(ctx)),
})

/** Notifies the owner at once of a task that another user assigned. */
function notifyOwner(ctx: UserCtx, { id, name, ownerId, status }: Task): void {
  if (ownerId === null || ownerId === ctx.user.id || status === 'finished') return
  const notice = { id, name, reason: 'assigned', by: ctx.user.name } as const
  ctx.emit(taskEvents.notice, notice, { kind: 'users', ids: [ownerId] })
}

async function lockSeen(ctx: UserCtx, id: number): Promise<Task> {
  await taskTable.lock(ctx.db, id)
  return required(await taskTable.find(ctx.db, id, seenBy(ctx.user)), 'ERR_NO_TASK_FOUND')
}

/** Returns the columns of the given links; throws 404 unless the linked record exists and the author sees it. */
async function linksOf(ctx: UserCtx, { ticketId, contactId, opportunityId }: TaskLinks) {
  if (ticketId != null) await requireVisible(ctx, ticketId)
  if (contactId != null) required(await findContact(ctx.db, contactId), 'ERR_NO_CONTACT_FOUND')
  const ofOpportunity = opportunityId == null ? undefined : await opportunityPort().contactOf(ctx, opportunityId)
  const contact = ofOpportunity ?? contactId
  return {
    ...(ticketId === undefined ? {} : { ticket_id: ticketId }),
    ...(contact === undefined ? {} : { contact_id: contact }),
    ...(opportunityId === undefined ? {} : { opportunity_id: opportunityId }),
  }
}

/** Publishes that the tasks of opportunities have changed. */
function publishOpportunities(ctx: Ctx, changed: readonly Task[]): void {
  const ids = new Set(changed.flatMap(({ opportunityId }) => opportunityId ?? []))
  for (const id of ids) opportunityPort().changed(ctx, id)
}

/** Returns the present day in the company's zone, `YYYY-MM-DD`. */
const todayOf = ({ now, settings }: Pick<Ctx, 'now' | 'settings'>): string => dayIn(settings.timezone, now.getTime())

const SILENT = new Set<string>(['updatedAt', 'createdAt', 'id'])
const changesOf = (before: Task, after: Task) =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([key, value]) => !SILENT.has(key) && JSON.stringify(ownMember(before, key)) !== JSON.stringify(value))
      .map(([key, value]) => [key, [ownMember(before, key), value] as const]),
  )

const publish = (ctx: Ctx, id: number, action: 'create' | 'update' | 'delete') =>
  ctx.emit(tasks.changed, { id, action }, { kind: 'tenant' })

/** Server part of the feature `tasks`: tasks of the team. */
export const tasksFeature: Feature = {
  name: 'tasks',
  titles: { tasks: 'Tarefas', taskLogs: 'Histórico das tarefas', taskCounts: 'Tarefas de hoje' },
  permissions,
  errors,
  routes: [...routes, ...logRoutes, ...countRoutes],
  start(platform) {
    if (!plays(platform.env, 'worker')) return async () => {}
    const work = async () => {
      await delayAll(platform)
      await remindAll(platform)
    }
    return startLooking(platform, { work, everyMs: EVERY_MS, complaint: 'overdue tasks and reminders were not read' })
  },
}
