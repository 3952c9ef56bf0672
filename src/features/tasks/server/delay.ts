import { dayIn, isoDay, localTime } from '#domain/calendar/local-time.ts'
import { unit } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { tasks } from '../tasks.ts'
import { delayOverdue, insertLogs, tenantsWithOverdue } from './queries.ts'

const BLOCK = 200
/** Offset in minutes of the zone in which a day begins first. */
const EARLIEST = 14 * 60

/**
 * Sets open tasks of all companies to `delayed` once their day is over in the company's zone; several processes may run it
 * concurrently.
 */
export async function delayAll(platform: Platform): Promise<void> {
  const latestDay = isoDay(localTime(platform.now().getTime(), EARLIEST))
  for (const tenantId of await platform.db.asPlatform((db) => tenantsWithOverdue(db, latestDay)))
    for (let more = true; more; more = await delaySome(platform, tenantId));
}

const delaySome = (platform: Platform, tenantId: number): Promise<boolean> =>
  unit(platform, { tenantId, user: null }, async (ctx) => {
    const today = dayIn(ctx.settings.timezone, ctx.now.getTime())
    const delayed = await delayOverdue(ctx.db, today, BLOCK, ctx.now)
    await insertLogs(
      ctx.db,
      delayed.map(({ id }) => ({ taskId: id, type: 'delayed', userId: null })),
      ctx.now,
    )
    for (const { id } of delayed) ctx.emit(tasks.changed, { id, action: 'update' }, { kind: 'tenant' })
    return delayed.length === BLOCK
  })
