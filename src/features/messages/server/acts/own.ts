import type { MessageStatus } from '#domain/messages/status.ts'
import { firstOf } from '#domain/present.ts'
import {
  addTrail,
  announceStatus,
  announceWaiting,
  findMessages,
  serializeMessage,
  updateMessage,
} from '#features/ledger/server/messages/index.ts'
import { enqueueSending } from '#features/ledger/server/outbox/index.ts'
import { publishStatuses } from '#features/ledger/server/ports/index.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'

/** Throws 404 for a message that the team did not send. */
export const requireOwn = ({ from_me }: { from_me: boolean }): void => void (from_me || fail('ERR_FETCH_WAPP_MSG'))

/** Changes the status of a message at a user's request. */
export async function restate(
  ctx: Ctx & { user: Actor },
  message: { id: string; ticket_id: number; send_type: string },
  status: MessageStatus,
  step: string,
): Promise<void> {
  await updateMessage(ctx.db, message.id, { status, error_code: null })
  await addTrail(ctx.db, [{ messageId: message.id, step, detail: { user: ctx.user.name } }])
  const { id: messageId, send_type: sendType } = message
  await publishStatuses(ctx, [{ messageId, status, errorCode: null, sendType }])
  const { facts } = await requireVisible(ctx, message.ticket_id)
  announceStatus(ctx, { id: message.id, ticketId: message.ticket_id, status, errorCode: null, isLast: false }, facts)
}

/** Returns the current row of a message. */
export async function answer(ctx: Pick<Ctx, 'db' | 'platform' | 'tenantId'>, id: string) {
  const row = firstOf(await findMessages(ctx.db, [id]))
  return serializeMessage(ctx.platform, ctx.tenantId, row)
}

type Cancelable = {
  id: string
  ticket_id: number
  connection_id: number
  conversation_key: string
  status: string
  send_type: string
  schedule_date: Date | null
  send_at: Date | null
}

/**
 * Cancels a locked message of the team that is unsent or uncertain. Deletes a waiting one without trace, and releases
 * messages held behind it. Does not lock the ticket, because releasing locks tickets first.
 */
export async function cancelMessage(ctx: Ctx & { user: Actor }, message: Cancelable): Promise<void> {
  const { id, ticket_id: ticketId, status, schedule_date: scheduleDate, send_at: sendAt } = message
  if (status !== 'pending' && status !== 'uncertain' && status !== 'failed') fail('ERR_SEND_STATE')
  await restate(ctx, message, 'canceled', 'canceled')
  if (!sendAt || !scheduleDate) return enqueueSending(ctx, message)
  const { facts } = await requireVisible(ctx, ticketId)
  const row = firstOf(await findMessages(ctx.db, [id]))
  announceWaiting(ctx, row, facts)
}
