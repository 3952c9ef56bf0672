import type { Ctx } from '#server/context.ts'
import { userEvents } from '../contract.ts'
import { endLivingSessions, hasSession, markPresence, type Which } from './queries-sessions.ts'

/** What the ended device is told: its session is over, another device took its place, or nothing, because it left itself. */
export type Farewell = 'revoked' | 'forced' | 'left'

/** Ends living sessions of a user, open screens included; who has no other one is offline. Answers how many ended. */
export async function revokeSessions(ctx: Ctx, userId: number, which: Which, farewell: Farewell): Promise<number> {
  const ended = await endLivingSessions(ctx.db, userId, ctx.now, which)
  for (const id of ended) ctx.stale(`revokedSessions ${ctx.tenantId}:${id} ${farewell}`)
  if (ended.length > 0 && !(await hasSession(ctx.db, userId, ctx.now))) {
    await markPresence(ctx.db, userId, { is_online: false, last_logout: ctx.now })
    ctx.emit(userEvents.online, { action: 'update', data: { userId, isOnline: false } }, { kind: 'tenant' })
  }
  return ended.length
}
