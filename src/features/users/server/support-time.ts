import type { Ctx } from '#server/context.ts'
import { supportEvents } from '../support-events.ts'
import { endSessionsAt } from './queries-sessions.ts'

const HOURS = 8

/** When somebody who is support, and begins now, has to log in again (decision A13). */
export const supportEnd = (now: Date): Date => new Date(now.getTime() + HOURS * 3_600_000)

/** Gives the open sessions of somebody who becomes support the end that support has, and tells the company. */
export async function limitSupport(ctx: Ctx, userId: number): Promise<void> {
  await endSessionsAt(ctx.db, userId, ctx.now, supportEnd(ctx.now))
  ctx.emit(supportEvents.changed, { isActive: true }, { kind: 'tenant' })
}
