import type { MessageStatus } from '#domain/messages/status.ts'
import { AppError, fail } from '#kit/errors.ts'
import type { Actor } from '#server/actors.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { isInfrastructure } from '#server/db/faults.ts'
import { requireVisible } from '../tickets/access.ts'
import { announceStatus, announceWaiting } from './announce.ts'
import { addTrail, findMessages, lockMessage, updateMessage } from './queries.ts'
import { serializeMessage } from './serializer.ts'

/** A message of a ticket that the user does not see does not exist for them. */
export async function visibleMessage(ctx: ReadCtx, ticketId: number): Promise<void> {
  await requireVisible(ctx, ticketId).catch((error: unknown) => {
    throw isInfrastructure(error) ? error : new AppError('ERR_FETCH_WAPP_MSG')
  })
}

/** Holds a message of the team, no note, that the user sees; 404 for any other. */
export async function ownMessage(ctx: Ctx & { user: Actor }, id: string) {
  const message = await lockMessage(ctx.db, id)
  if (!message?.from_me || message.is_note) return fail('ERR_FETCH_WAPP_MSG')
  await visibleMessage(ctx, message.ticket_id)
  return message
}

/** Gives a message another state at a person's wish. */
export async function restate(
  ctx: Ctx & { user: Actor },
  message: { id: string; ticket_id: number },
  status: MessageStatus,
  step: string,
): Promise<void> {
  await updateMessage(ctx.db, message.id, { status, error_code: null })
  await addTrail(ctx.db, [{ messageId: message.id, step, detail: { user: ctx.user.name } }])
  const { facts } = await requireVisible(ctx, message.ticket_id)
  announceStatus(ctx, { id: message.id, ticketId: message.ticket_id, status, errorCode: null, isLast: false }, facts)
}

/** A message as it is now. */
export async function answer(ctx: Pick<Ctx, 'db' | 'platform' | 'tenantId'>, id: string) {
  const [row] = await findMessages(ctx.db, [id])
  return serializeMessage(ctx.platform, ctx.tenantId, row!)
}

/**
 * Gives up a message that has not left, or of which nobody knows; `providerId` must be its own where it is named. What
 * waited leaves no trace in its conversation.
 */
export async function cancelMessage(ctx: Ctx & { user: Actor }, id: string, providerId?: string | null) {
  const message = await ownMessage(ctx, id)
  if (providerId && message.provider_id !== providerId) fail('ERR_FETCH_WAPP_MSG')
  if (message.status !== 'pending' && message.status !== 'uncertain' && message.status !== 'failed')
    fail('ERR_SEND_STATE')
  await restate(ctx, message, 'canceled', 'canceled')
  if (message.schedule_date && message.send_at) {
    const { facts } = await requireVisible(ctx, message.ticket_id)
    const [row] = await findMessages(ctx.db, [id])
    announceWaiting(ctx, row!, facts)
  }
  return answer(ctx, id)
}
