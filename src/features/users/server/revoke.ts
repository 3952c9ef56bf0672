import type { Ctx } from '#server/context.ts'
import { userEvents } from '../contract.ts'
import { endLivingSessions, hasSession, markPresence, type Which } from './queries-sessions.ts'

/** Message to an ended device: revoked, replaced by another device, or none because the user logged out there. */
export type Farewell = 'revoked' | 'forced' | 'left'

/**
 * Ends active sessions of a user, open screens included; without another session the user is offline. Returns the number of
 * ended sessions.
 */
export async function revokeSessions(ctx: Ctx, userId: number, which: Which, farewell: Farewell): Promise<number> {
  const ended = await endLivingSessions(ctx.db, userId, ctx.now, which)
  for (const id of ended) ctx.stale(`revokedSessions ${ctx.tenantId}:${id} ${farewell}`)
  if (ended.length > 0 && !(await hasSession(ctx.db, userId, ctx.now))) {
    await markPresence(ctx.db, userId, { is_online: false, last_logout: ctx.now })
    ctx.emit(userEvents.online, { action: 'update', data: { userId, isOnline: false } }, { kind: 'tenant' })
  }
  return ended.length
}
