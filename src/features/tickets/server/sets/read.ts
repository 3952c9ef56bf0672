import { seesWide } from '#domain/access/profiles.ts'
import { lowersUnread } from '#domain/tickets/reading.ts'
import { notificationEvents } from '#features/ledger/notification-events.ts'
import { updateTicket } from '#features/ledger/server/changes/index.ts'
import { countBehind, findMessageCursor, movePosition, readUpTo } from '#features/ledger/server/notices/index.ts'
import { deltaOf, factsOf } from '#features/ledger/server/rows/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { lockVisible, requireVisible } from '#features/visibility/server/index.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { fail, required } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import type { tickets } from '../../contract.ts'
import { announceRead } from '../change/change.ts'

type UserCtx = Ctx & { user: Actor }
type Body = Input<typeof tickets.read>['body']

/**
 * Marks a conversation as read up to a message: moves the user's reading position and, if this user's reading counts, lowers
 * the unread count to the messages after it. Idempotent; peeking marks nothing.
 */
export async function readTicket(
  ctx: UserCtx,
  ticketId: number,
  { messageId, isPeek = false }: Body,
): Promise<Returned<typeof tickets.read>> {
  const known = await requireVisible(ctx, ticketId)
  const isBound = !seesWide(ctx.user, isOn(ctx.settings, 'supervisorAdmin'))
  if (isPeek && isBound && isOn(ctx.settings, 'controlFeatures')) fail('ERR_NO_PERMISSION')
  const cursor = required(await findMessageCursor(ctx.db, ticketId, messageId), 'ERR_FETCH_WAPP_MSG')
  if (isPeek) return { unreadMessages: known.row.unread_messages }
  // Locks the ticket before writing the position: two concurrent readers would otherwise deadlock.
  const isLowered = known.row.unread_messages > 0 && lowersUnread(known.facts, ctx.user)
  const unreadMessages = isLowered ? await lower(ctx, ticketId, messageId) : known.row.unread_messages
  if (await movePosition(ctx.db, { userId: ctx.user.id, messageId, now: ctx.now }))
    ctx.emit(
      ticketEvents.read,
      { id: ticketId, timestamp: cursor.timestamp, seq: cursor.seq },
      { kind: 'users', ids: [ctx.user.id] },
    )
  if (await readUpTo(ctx.db, { userId: ctx.user.id, ticketId, messageId, now: ctx.now }))
    ctx.emit(notificationEvents.changed, { ticketId }, { kind: 'users', ids: [ctx.user.id] })
  return { unreadMessages }
}

async function lower(ctx: UserCtx, ticketId: number, messageId: string): Promise<number> {
  const { row, facts } = await lockVisible(ctx, ticketId)
  const before = row.unread_messages
  const unread = lowersUnread(facts, ctx.user) ? await countBehind(ctx.db, ticketId, messageId, before) : before
  if (unread === before) return before
  const after = { ...row, unread_messages: unread }
  await updateTicket(ctx.db, ticketId, { unread_messages: unread })
  if (unread === 0) await announceRead(ctx, row)
  ctx.emit(ticketEvents.delta, deltaOf(after), { kind: 'ticket', ticketId, before: facts, after: factsOf(after) })
  return unread
}
