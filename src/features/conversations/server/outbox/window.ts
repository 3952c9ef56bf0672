import { windowOf } from '#domain/messages/window.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { Ctx } from '#server/context.ts'
import type { ChannelConversation } from '../channels.ts'
import type { LedgerTicket } from '../ingest/ingest-queries.ts'
import { lastInboundOf } from './outbox-queries.ts'

/** Whether the channel lets one write freely in a conversation now: the rule for whoever sends, whatever sent it off. */
export async function isWritable(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  channel: string,
  conversation: ChannelConversation,
): Promise<boolean> {
  const { windowHours } = capabilitiesOf(channel)
  if (windowHours === null) return true
  return windowOf(await lastInboundOf(db, conversation), { windowHours }, now.getTime()).isOpen
}

/** Fails where nothing may be written freely in the ticket's conversation now. */
export async function requireWritable(
  ctx: Pick<Ctx, 'db' | 'now'>,
  { channel, connection_id: connectionId, conversation_key: conversationKey }: LedgerTicket,
): Promise<void> {
  if (!(await isWritable(ctx, channel, { connectionId, conversationKey }))) fail('ERR_WINDOW_CLOSED')
}
