import { notificationEvents } from '#features/ledger/notification-events.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { requireVisible, visibleSql } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { type Detail, loadDetail } from '../change/detail.ts'
import { deleteFollower, insertFollower, listFollowed } from './queries.ts'

/** Maximum number of tickets that a person follows. */
export const MOST_FOLLOWED = 200

type UserCtx = Ctx & { user: Actor }

/** Follows or unfollows a ticket for the caller. */
export async function setFollowing(ctx: UserCtx, ticketId: number, isFollowing: boolean): Promise<Detail> {
  const { facts } = await requireVisible(ctx, ticketId)
  const { id: userId } = ctx.user
  const isChanged = isFollowing
    ? await insertFollower(ctx.db, ticketId, userId, ctx.now)
    : await deleteFollower(ctx.db, ticketId, userId)
  if (isChanged && isFollowing) {
    const own = { userId, visible: visibleSql(ctx.user, ctx.settings) }
    if ((await listFollowed(ctx.db, own, MOST_FOLLOWED + 1)).length > MOST_FOLLOWED) fail('ERR_FOLLOW_LIMIT')
  }
  const { detail } = await loadDetail(ctx, ticketId)
  if (isChanged) {
    ctx.emit(ticketEvents.detail, { id: ticketId }, { kind: 'ticket', ticketId, before: null, after: facts })
    ctx.emit(notificationEvents.changed, { ticketId }, { kind: 'users', ids: [userId] })
  }
  return detail
}
