import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { taskEvents } from '../tasks.ts'
import { takeReminders, tenantsWithReminders } from './queries.ts'

const BLOCK = 200

/** Sends the due reminders of all companies, each once; several processes may run it concurrently. */
export async function remindAll(platform: Platform): Promise<void> {
  for (const tenantId of await platform.db.asPlatform((db) => tenantsWithReminders(db, platform.now())))
    for (let more = true; more; more = await remindSome(platform, tenantId));
}

const remindSome = (platform: Platform, tenantId: number): Promise<boolean> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const due = await takeReminders(ctx.db, ctx.now, BLOCK)
    for (const { id, name, ownerId, isOpen } of due) {
      if (ownerId === null || !isOpen) continue
      const notice = { id, name, reason: 'reminder', by: null } as const
      ctx.emit(taskEvents.notice, notice, { kind: 'users', ids: [ownerId] })
    }
    return due.length === BLOCK
  })
