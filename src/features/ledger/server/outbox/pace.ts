import { afterRefusal, type Pace, type PaceState, takeTurn } from '#domain/connections/pace.ts'
import { spellingsOf } from '#domain/phone/brazil.ts'
import { errorText } from '#kit/errors.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import { isSendFailure, sendFailure } from '#providers/channels/port.ts'
import type { Ctx } from '#server/context.ts'
import { addTrail, updateMessage } from '../messages/queries.ts'
import { answerWithin, type ChannelConversation, type OutboxSender, publishConnection } from '../ports/channels.ts'
import { contactBook } from '../ports/contact-book.ts'
import { moveConversation } from '../ticket/queries.ts'
import { type Claimed, moveWaiting } from './outbox-queries.ts'
import { hasWaitInTrail, isBeginning, lockPace, storePace } from './pace-queries.ts'

/** Time-out of a channel's check whether it reaches a number, in ms. */
const CHECK_MS = 15_000

const paceOf = ({ settings: { values } }: Pick<Ctx, 'settings'>): Pace => ({
  perMinute: Number(values.messagesPerMinute),
  begunPerHour: Number(values.firstContactsPerHour),
})

/** Whether channels of this type are paced, because fast sending costs the number. */
const isPaced = (type: string): boolean => channelType(type)?.config.isPaced === true

/** Returns and locks the pace of a connection and its state; null if its channel is not paced. */
export const lockPaceOf = async (
  ctx: Ctx,
  { id, type }: { readonly id: number; readonly type: string },
): Promise<{ pace: Pace; state: PaceState } | null> =>
  isPaced(type) ? { pace: paceOf(ctx), state: await lockPace(ctx.db, id, paceOf(ctx), ctx.now) } : null

/** Turn of a message that may go; `isFirst` if it begins its conversation (paced channels only). */
type Turn = { readonly isFirst: boolean }

/**
 * Gives a claimed message its turn, or puts it back and returns the time from which it may be sent. A message that was tried
 * before keeps its turn.
 */
export async function takeTurnOf(
  ctx: Ctx,
  conversation: ChannelConversation,
  message: Claimed,
): Promise<Turn | { readonly at: Date }> {
  if (!isPaced(message.type)) return { isFirst: false }
  const isFirst = await isBeginning(ctx.db, conversation)
  if (message.attempts > 0) return { isFirst }
  const pace = paceOf(ctx)
  const state = await lockPace(ctx.db, conversation.connectionId, pace, ctx.now)
  const turn = takeTurn(state, pace, ctx.now.getTime(), isFirst)
  if ('after' in turn) {
    await storePace(ctx.db, conversation.connectionId, turn.after)
    return { isFirst }
  }
  const at = new Date(turn.at)
  await updateMessage(ctx.db, message.id, { status: 'pending' })
  if (!(await hasWaitInTrail(ctx.db, message.id))) {
    const reason = isFirst ? 'poucas conversas novas por hora, para o número não ser bloqueado' : 'ritmo do número'
    const seconds = Math.ceil((turn.at - ctx.now.getTime()) / 1000)
    await addTrail(ctx.db, [{ messageId: message.id, step: 'waiting', detail: { reason, seconds, isPaced: true } }])
  }
  return { at }
}

/**
 * Asks the channel, if it can tell, whether it reaches a new recipient, and returns its spelling of the number. Throws
 * refused if not reached, unreachable if unanswered.
 */
export async function addressReached(
  { adapter }: Pick<OutboxSender, 'adapter'>,
  { tenantId, type }: { readonly tenantId: number; readonly type: string },
  { connectionId, conversationKey: number }: ChannelConversation,
): Promise<string> {
  if (!capabilitiesOf(type).numberCheck || !adapter.ask || !/^\d{8,15}$/.test(number)) return number
  const asked = adapter.ask('number', { tenantId, connectionId, number })
  const found = await answerWithin(CHECK_MS, asked).catch((error: unknown) => {
    const reason = isSendFailure(error) ? error.message : 'o canal não disse se alcança o número'
    throw sendFailure('unreachable', reason)
  })
  if (!found) throw sendFailure('refused', errorText('ERR_WAPP_INVALID_CONTACT'))
  return spellingsOf(number).includes(found.identity) ? found.identity : number
}

/** Moves a conversation to the address that its first message was sent to. */
export async function goOnAt(
  ctx: Ctx,
  { connectionId, conversationKey: from }: ChannelConversation,
  { messageId, channel, to }: { readonly messageId: string; readonly channel: string; readonly to: string },
): Promise<void> {
  await contactBook().moved(ctx, { channel, identity: from, to })
  await moveConversation(ctx.db, { connectionId, from, to })
  await moveWaiting(ctx.db, { messageId, connectionId, from, to })
}

/** Records a refusal for sending too fast; after the third within an hour new conversations start more slowly. */
export async function noteRefusal(ctx: Ctx, connectionId: number): Promise<void> {
  const before = await lockPace(ctx.db, connectionId, paceOf(ctx), ctx.now)
  const after = afterRefusal(before, ctx.now.getTime())
  await storePace(ctx.db, connectionId, after)
  if (after.slowUntil !== before.slowUntil) await publishConnection(ctx, connectionId)
}
