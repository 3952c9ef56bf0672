import { HUMAN_AGENT, PRIVATE_ANSWER } from '#domain/messages/types.ts'
import { commentEnd, humanAgentEnd, windowOf } from '#domain/messages/window.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import type { ChannelConversation } from '../ports/channels.ts'
import { lastInboundOf, lastInboundsOf } from './outbox-queries.ts'

/** Ways to send although the window is closed: the kind of sending, and for the answer to a comment the time of the comment. */
type Way = { readonly sendType?: string; readonly quotedAt?: Date | null }

/**
 * Whether the channel's window is open in a conversation, for any sender. A company may choose to try anyway and show
 * the provider's answer.
 */
export async function isWritable(
  { db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>,
  channel: string,
  conversation: ChannelConversation,
  { sendType, quotedAt = null }: Way = {},
): Promise<boolean> {
  const { windowHours, humanAgentDays, commentDays } = capabilitiesOf(channel)
  if (windowHours === null || isOn(settings, 'forceOpenChatWindow')) return true
  const at = now.getTime()
  if (sendType === PRIVATE_ANSWER) return quotedAt !== null && at < commentEnd(quotedAt.getTime(), commentDays)
  const last = await lastInboundOf(db, conversation)
  if (sendType === HUMAN_AGENT && at < humanAgentEnd(last, humanAgentDays)) return true
  return windowOf(last, { windowHours }, at).isOpen
}

/** Returns the keys of those conversations of a connection in which the channel allows writing now. */
export async function writableOf(
  { db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>,
  { id, type }: { readonly id: number; readonly type: string },
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { windowHours } = capabilitiesOf(type)
  if (windowHours === null || isOn(settings, 'forceOpenChatWindow')) return new Set(keys)
  const last = await lastInboundsOf(db, id, keys)
  return new Set(keys.filter((key) => windowOf(last.get(key) ?? null, { windowHours }, now.getTime()).isOpen))
}

/** Fails if the channel's window forbids writing in the conversation of a ticket or a message. */
export async function requireWritable(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  of: { readonly channel: string; readonly connection_id: number; readonly conversation_key: string },
  way?: Way,
): Promise<void> {
  const { channel, connection_id: connectionId, conversation_key: conversationKey } = of
  if (!(await isWritable(ctx, channel, { connectionId, conversationKey }, way))) fail('ERR_WINDOW_CLOSED')
}
