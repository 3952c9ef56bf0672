import type { Ctx } from '#server/context.ts'
import { notificationEvents } from '../../notification-events.ts'
import { addNotifications, type Concerned, findLate } from './queries-notifications.ts'

/** Adds notifications for users on tickets, and publishes them. */
export async function notify(
  ctx: Ctx,
  people: readonly Concerned[],
  news: { messageId: string | null; mentions: 0 | 1; transfers: 0 | 1 },
): Promise<void> {
  if (people.length === 0) return
  await addNotifications(ctx.db, people, { ...news, now: ctx.now })
  publishTo(ctx, people)
}

/** Publishes that notifications have changed; details come from the list. */
export function publishTo(ctx: Ctx, people: readonly { ticketId: number; userId: number }[]): void {
  const [ticketId = null, ...others] = new Set(people.map((one) => one.ticketId))
  const ids = [...new Set(people.map(({ userId }) => userId))]
  ctx.emit(notificationEvents.changed, { ticketId: others.length > 0 ? null : ticketId }, { kind: 'users', ids })
}

/** Notifies the author of a scheduled message, and the owner of its ticket, that it was too late to send. */
export async function notifyLate(ctx: Ctx, messageIds: readonly string[]): Promise<void> {
  for (const { messageId, people } of await findLate(ctx.db, messageIds))
    await notify(ctx, people, { messageId, mentions: 1, transfers: 0 })
}
