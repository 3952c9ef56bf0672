import { addTrail, findMessages } from '#features/ledger/server/messages/index.ts'
import { countPins, deletePin, insertPin } from '#features/ledger/server/pins/index.ts'
import { insertAllLogs } from '#features/ledger/server/sets/index.ts'
import { ticketEvents } from '#features/ledger/ticket-rows.ts'
import { lockVisible, requireVisibleMessage } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { type Detail, loadDetail } from '../change/detail.ts'

/** Maximum number of pinned messages per ticket. */
const MOST_PINNED = 5

/** Pins a message above its conversation for everybody, or unpins it; returns the pinned messages. */
export async function setPinned(
  ctx: Ctx & { user: Actor },
  messageId: string,
  isPinned: boolean,
): Promise<{ pinned: Detail['pinned'] }> {
  const [message] = await findMessages(ctx.db, [messageId])
  if (!message) return fail('ERR_FETCH_WAPP_MSG')
  const { ticket_id: ticketId } = message
  await requireVisibleMessage(ctx, ticketId)
  // The lock serialises concurrent pins, so that each counts the other.
  const { row, facts } = await lockVisible(ctx, ticketId)
  if (isPinned) requirePinnable(message)
  const isChanged = isPinned
    ? await insertPin(ctx.db, { messageId, userId: ctx.user.id, now: ctx.now })
    : await deletePin(ctx.db, messageId)
  if (isPinned && (await countPins(ctx.db, ticketId)) > MOST_PINNED) fail('ERR_PIN_LIMIT')
  if (isChanged) {
    await addTrail(ctx.db, [{ messageId, step: isPinned ? 'pinned' : 'unpinned', detail: { user: ctx.user.name } }])
    const log = { ticketId, type: isPinned ? 'pin' : 'unpin', userId: ctx.user.id, queueId: row.queue_id } as const
    await insertAllLogs(ctx.db, [log], ctx.now)
    ctx.emit(ticketEvents.detail, { id: ticketId }, { kind: 'ticket', ticketId, before: null, after: facts })
  }
  const { pinned } = (await loadDetail(ctx, ticketId)).detail
  return { pinned }
}

// Revoked and waiting messages are not part of a conversation.
function requirePinnable({
  is_deleted,
  send_at,
  status,
}: {
  is_deleted: boolean
  send_at: Date | null
  status: string
}) {
  if (is_deleted) fail('ERR_FETCH_WAPP_MSG')
  if (send_at !== null || status === 'canceled') fail('ERR_SEND_STATE')
}
