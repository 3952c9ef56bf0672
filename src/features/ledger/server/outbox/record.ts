import { advance, type MessageStatus } from '#domain/messages/status.ts'
import type { ErrorCode } from '#kit/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Platform } from '#server/platform.ts'
import { announceStatus } from '../messages/announce.ts'
import { addTrail, lockMessage } from '../messages/queries.ts'
import { publishStatuses } from '../ports/statuses.ts'
import { enqueueNextDue } from '../scheduled/due.ts'
import { ledgerFacts, lockLedgerTicket } from '../ticket/queries.ts'
import type { Locked } from './outbox-queries.ts'
import { setLastStatus, setStatuses } from './receipt-queries.ts'

/** Details of a status: trail step, id at the provider, reason. */
type About = { step: string; providerId?: string; reason?: string; providerText?: string; errorCode?: ErrorCode }

/** Records a status with its step and publishes it; a status only rises. */
export async function record(
  platform: Platform,
  ctx: Ctx,
  id: string,
  next: MessageStatus,
  about: About,
): Promise<void> {
  const message = await lockMessage(ctx.db, id)
  if (!message) return
  const ticket = await lockLedgerTicket(ctx.db, message.ticket_id)
  await recordLocked(platform, ctx, { message, ticket }, next, about)
}

/** Records a status of a locked message with its locked ticket. */
export const recordLocked = (
  platform: Platform,
  ctx: Ctx,
  locked: Locked,
  next: MessageStatus,
  about: About,
): Promise<void> => recordAll(platform, ctx, [{ ...locked, next, about }])

/** Records statuses of several locked messages with their locked tickets. */
export async function recordAll(
  platform: Platform,
  ctx: Ctx,
  outcomes: readonly (Locked & { readonly next: MessageStatus; readonly about: About })[],
): Promise<void> {
  if (outcomes.length === 0) return
  const changes = outcomes.map(({ message, ticket, next, about }) => {
    const status = advance(message.status, next)
    const errorCode =
      about.errorCode ??
      (status === 'failed' ? 'ERR_SENDING_WAPP_MSG' : status === 'uncertain' ? 'ERR_SEND_UNCERTAIN' : null)
    const isLast =
      ticket?.last_message_from_me === true && message.timestamp.getTime() === ticket.last_message_at.getTime()
    return { id: message.id, status, errorCode, isLast, ticket, about, sendType: message.send_type }
  })
  const last = changes.flatMap(({ ticket, status, isLast }) =>
    ticket && isLast ? [{ ticketId: ticket.id, status }] : [],
  )
  const trail = changes.map(({ id, about: { step, reason, providerText } }) => ({
    ...{ messageId: id, step },
    detail: { ...(reason ? { reason } : {}), ...(providerText ? { providerText } : {}) },
  }))
  await Promise.all([
    setStatuses(
      ctx.db,
      changes.map(({ id, status, errorCode, about: { providerId } }) => ({ id, status, errorCode, providerId })),
    ),
    addTrail(ctx.db, trail),
    last.length > 0 && setLastStatus(ctx.db, last),
  ])
  if (outcomes.some(({ message }) => message.schedule_date)) enqueueNextDue(ctx)
  for (const { ticket, about: _, sendType: __, ...change } of changes)
    if (ticket) announceStatus(ctx, { ...change, ticketId: ticket.id }, ledgerFacts(ticket))
  await publishStatuses(
    ctx,
    changes.map(({ id: messageId, status, errorCode, sendType }) => ({ messageId, status, errorCode, sendType })),
  )
  for (const status of new Set(changes.map((change) => change.status))) await platform.checkpoint(`message ${status}`)
}
