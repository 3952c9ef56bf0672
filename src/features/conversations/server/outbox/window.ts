import { windowOf } from '#domain/messages/window.ts'
import { fail } from '#kit/errors.ts'
import { isOn } from '#kit/settings.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import type { ChannelConversation } from '../channels.ts'
import { lastInboundOf } from './outbox-queries.ts'

/**
 * Whether the channel lets one write freely in a conversation now: the rule for whoever sends, whatever sent it off. A company
 * may want the attempt made all the same, and the provider's answer shown.
 */
export async function isWritable(
  { db, now, settings }: Pick<Ctx, 'db' | 'now' | 'settings'>,
  channel: string,
  conversation: ChannelConversation,
): Promise<boolean> {
  const { windowHours } = capabilitiesOf(channel)
  if (windowHours === null || isOn(settings, 'forceOpenChatWindow')) return true
  return windowOf(await lastInboundOf(db, conversation), { windowHours }, now.getTime()).isOpen
}

/** Fails where nothing may be written freely now in the conversation of a ticket or of a message. */
export async function requireWritable(
  ctx: Pick<Ctx, 'db' | 'now' | 'settings'>,
  of: { readonly channel: string; readonly connection_id: number; readonly conversation_key: string },
): Promise<void> {
  const { channel, connection_id: connectionId, conversation_key: conversationKey } = of
  if (!(await isWritable(ctx, channel, { connectionId, conversationKey }))) fail('ERR_WINDOW_CLOSED')
}
