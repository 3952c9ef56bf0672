import type { Ctx } from '#server/context.ts'
import { supportEvents } from '../support-events.ts'
import { endSessionsAt } from './queries-sessions.ts'

const HOURS = 8

/** Returns the time at which a support user who begins now must log in again (decision A13). */
export const supportEnd = (now: Date): Date => new Date(now.getTime() + HOURS * 3_600_000)

/** Limits the open sessions of a new support user to the support time, and notifies the company. */
export async function limitSupport(ctx: Ctx, userId: number): Promise<void> {
  await endSessionsAt(ctx.db, userId, ctx.now, supportEnd(ctx.now))
  ctx.emit(supportEvents.changed, { isActive: true }, { kind: 'tenant' })
}
