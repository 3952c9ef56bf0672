import { z } from 'zod'
import { findOpenTask } from '#features/tasks/server/index.ts'
import { taskEvents } from '#features/tasks/tasks.ts'
import type { Ctx } from '#server/context.ts'
import { job } from '#server/job.ts'
import { type Change, isOf } from '#server/realtime/audience.ts'
import { informDevice } from './inform.ts'

/** Channel of events about assigned tasks and reminders. */
export const TASK_CHANNEL = taskEvents.notice.channel

/** Job that notifies a device of a task that its user still has to do, except in quiet hours. */
export const taskNoticeJob = job({
  name: 'push:task',
  schema: z.object({ sessionId: z.uuid(), taskId: z.number(), seq: z.number(), title: z.string() }),
  run: (platform, { tenantId, sessionId, taskId, seq, title }, run) =>
    informDevice(
      platform,
      {
        ...{ tenantId, sessionId, can: 'tasks:write' },
        async find(db, { id }) {
          const task = await findOpenTask(db, taskId, id)
          return task ? { kind: 'notice', tag: `/tarefas/${taskId}`, seq, title, text: task.name, at: null } : null
        },
      },
      run,
    ),
})

/** Enqueues notifications for each device of users with a new task or reminder; one per task. */
export function recordTasks(
  ctx: Ctx,
  changes: readonly Change[],
  devices: readonly { sessionId: string; userId: number }[],
  runAt: Date,
): void {
  for (const change of changes) {
    const { audience, seq } = change
    if (!isOf(change, taskEvents.notice) || audience.kind !== 'users') continue
    const { id: taskId, reason, by } = change.payload
    const title = reason === 'reminder' ? 'Lembrete de tarefa' : `${by ?? 'Alguém'} passou uma tarefa a você`
    for (const { sessionId, userId } of devices) {
      if (!audience.ids.includes(userId)) continue
      const queue = `push:${ctx.tenantId}:${sessionId}`
      const wanted = { sessionId, taskId, seq: seq!, title }
      ctx.enqueue(taskNoticeJob, wanted, { key: `${queue}:t${taskId}`, queue, runAt, priority: 1 })
    }
  }
}
