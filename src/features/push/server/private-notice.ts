import { z } from 'zod'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import { privateChatEvents as chat } from '#features/private-chat/contract.ts'
import { findUnread } from '#features/private-chat/server/index.ts'
import { isOn } from '#kit/settings.ts'
import type { Ctx } from '#server/context.ts'
import { job } from '#server/job.ts'
import { type Change, isOf } from '#server/realtime/audience.ts'
import { informDevice } from './inform.ts'

/** Channel of events about private messages. */
export const PRIVATE_CHANNEL = chat.create.channel

/** Job that notifies a device of an unread private message, unless the user or the company disabled it. */
export const privateNoticeJob = job({
  name: 'push:private',
  schema: z.object({ sessionId: z.uuid(), messageId: z.uuid(), seq: z.number() }),
  async run(platform, { tenantId, sessionId, messageId, seq }, run) {
    const settings = await platform.settings.get(String(tenantId))
    if (!isOn(settings, 'webPushChatInterno')) return
    await informDevice(
      platform,
      {
        ...{ tenantId, sessionId, can: 'private-chat:use' },
        async find(db, { id }) {
          const message = await findUnread(db, id, messageId)
          if (!message) return null
          const { text, mediaType, groupId, senderId, senderName } = message
          const tag = groupId === null ? `/chat-privado/${senderId}` : `/chat-privado/equipe/${groupId}`
          const preview = previewOf({ type: mediaType, body: plainText(text), mediaName: message.file?.name ?? null })
          return { kind: 'notice', tag, seq, title: senderName, text: preview, at: null }
        },
      },
      run,
    )
  },
})

/** Enqueues notifications for each device of the receivers of private messages; messages of a conversation are combined. */
export function recordPrivate(
  ctx: Ctx,
  changes: readonly Change[],
  devices: readonly { sessionId: string; userId: number }[],
  runAt: Date,
): void {
  for (const change of changes) {
    const { audience, seq } = change
    if (!isOf(change, chat.create) || audience.kind !== 'users') continue
    const { id: messageId, senderId, groupId } = change.payload
    for (const { sessionId, userId } of devices) {
      if (userId === senderId || !audience.ids.includes(userId)) continue
      const queue = `push:${ctx.tenantId}:${sessionId}`
      const key = `${queue}:${groupId === null ? `u${senderId}` : `g${groupId}`}`
      ctx.enqueue(privateNoticeJob, { sessionId, messageId, seq: seq! }, { key, queue, runAt, priority: 1 })
    }
  }
}
