import { notificationEvents } from '#features/ledger/notification-events.ts'
import type { Hook } from '#features/ledger/server/hooks/index.ts'
import { countMentions } from '#features/ledger/server/mentions/index.ts'
import {
  countUnread,
  listNotifications,
  type NotificationRecord,
  notifiedSince,
  notify,
  publishTo,
  readNotifications,
  removeTransfers,
} from '#features/ledger/server/notices/index.ts'
import { notifications } from '#features/messages/notifications-contract.ts'
import { listOwnMentions, markMentionSeen } from '#features/messages/server/mentions/index.ts'
import { visibleSql } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { fileUrl } from '#server/files/store.ts'
import { implement } from '#server/http/route.ts'
import { exactPageStartOf, pageOf } from '#server/paging.ts'
import { MOST_FOLLOWED } from '../followers/followers.ts'
import { listFollowed } from '../followers/queries.ts'

const COUNTED = 100

type UserCtx = Ctx & { user: Actor }

/** Hook that notifies users to whom a colleague gave a ticket. */
export const notifyReceivers: Hook<'onAssigned'> = {
  name: 'notify-receivers',
  run: async (ctx, batch) => {
    const rows = batch.flatMap(({ ticketId, userId, byUserId }) =>
      byUserId !== null && userId !== byUserId ? [{ ticketId, userId, byUserId }] : [],
    )
    await notify(ctx, rows, { messageId: null, mentions: 0, transfers: 1 })
    return {}
  },
}

const REPEAT_MS = 10_000

/** Notifies users of a ticket again, except those notified in the last ten seconds; returns the ids of the notified. */
export async function renotify(ctx: UserCtx, ticketId: number, userIds: readonly number[]): Promise<number[]> {
  const byUserId = ctx.user.id
  const notified = await notifiedSince(ctx.db, ticketId, new Date(ctx.now.getTime() - REPEAT_MS))
  const people = userIds.filter((userId) => userId !== byUserId && !notified.has(userId))
  await notify(
    ctx,
    people.map((userId) => ({ userId, ticketId, byUserId })),
    { messageId: null, mentions: 0, transfers: 1 },
  )
  return people
}

/** Withdraws notifications of undone transfers. */
export async function withdrawTransfers(
  ctx: Ctx,
  given: readonly { ticketId: number; userId: number }[],
): Promise<void> {
  if (given.length === 0) return
  await removeTransfers(ctx.db, given)
  publishTo(ctx, given)
}

/** Route handlers of notifications. */
export const notificationRoutes = implement(notifications, {
  list: (ctx, { query }) => listOwn(ctx, query),
  unread: async (ctx) => {
    const { unseen, any } = await countMentions(ctx.db, own(ctx), COUNTED)
    const followed = await listFollowed(ctx.db, own(ctx), MOST_FOLLOWED)
    return { count: await countUnread(ctx.db, own(ctx), COUNTED), mentions: unseen, hasMentions: any, followed }
  },
  read: async (ctx, { body: { ticketId = null } }) => {
    const count = await readNotifications(ctx.db, ctx.user.id, ticketId, ctx.now)
    if (count > 0) ctx.emit(notificationEvents.changed, { ticketId }, { kind: 'users', ids: [ctx.user.id] })
    return { count }
  },
  mentions: (ctx, { query }) => listOwnMentions(ctx, query),
  seeMention: (ctx, { params }) => markMentionSeen(ctx, params.id),
})

const own = ({ user, settings }: Pick<UserCtx, 'user' | 'settings'>) => ({
  userId: user.id,
  visible: visibleSql(user, settings),
})

async function listOwn(
  ctx: ReadCtx & { user: Actor },
  query: Input<typeof notifications.list>['query'],
): Promise<Returned<typeof notifications.list>> {
  const found = await listNotifications(ctx.db, own(ctx), exactPageStartOf<[number, number]>(query, 2))
  const { rows, paging } = pageOf(found, (row) => [row.position, row.ticket_id])
  return {
    notifications: rows.map((row) => serialize(ctx, row)),
    count: rows.length,
    countIsCapped: paging.hasMore,
    ...paging,
  }
}

const serialize = ({ platform, tenantId }: ReadCtx, row: NotificationRecord) => ({
  ticketId: row.ticket_id,
  contactId: row.contact_id,
  name: row.contact_name,
  profilePicUrl: row.profile_pic_file && fileUrl(platform, tenantId, row.profile_pic_file, 'foto'),
  channel: row.channel,
  mentions: row.mentions,
  transfers: row.transfers,
  answers: row.answers,
  by: row.by_name,
  text: row.text,
  isLate: row.is_late,
  isReplay: row.is_replay,
  at: row.at,
  timestamp: row.first_at,
  isRead: row.is_read,
  followed: row.followed,
})
