import { z } from 'zod'
import { previewOf } from '#domain/messages/preview.ts'
import { plainText } from '#domain/messages/rich-text.ts'
import { privateChatEvents as chat, type PrivateMessage } from '#features/private-chat/contract.ts'
import { findUnread } from '#features/private-chat/server/index.ts'
import { isOn } from '#kit/settings.ts'
import { may } from '#server/actors.ts'
import type { Ctx } from '#server/context.ts'
import { job } from '#server/job.ts'
import type { Change } from '#server/realtime/audience.ts'
import { isQuietAt } from './notice.ts'
import { findDevice, findSender, markReached, removeSubscription } from './queries.ts'
import { pushTo } from './send.ts'

/** The channel on which private messages are told of. */
export const PRIVATE_CHANNEL = chat.create.channel

/** Tells a device of a message of a colleague that its person has not read meanwhile, unless they or the company want none. */
export const privateNoticeJob = job({
  name: 'push:private',
  schema: z.object({ sessionId: z.uuid(), messageId: z.uuid(), seq: z.number() }),
  async run(platform, { tenantId, sessionId, messageId, seq }, { requireOwnership }) {
    const settings = await platform.settings.get(String(tenantId))
    if (!isOn(settings, 'webPushChatInterno')) return
    const device = await platform.db.read(tenantId, (db) => findDevice(db, sessionId, platform.now()))
    const actor = device && (await platform.actors.get(`${tenantId}:${device.userId}`))
    if (!actor || !may(actor, settings, 'private-chat:use') || isQuietAt(device, platform)) return
    const [message, sender] = await platform.db.read(tenantId, async (db) => [
      await findUnread(db, actor.id, messageId),
      await findSender(db),
    ])
    if (!message || !sender) return
    requireOwnership()
    const { text, mediaType, groupId, senderId, senderName } = message
    const tag = groupId === null ? `/chat-privado/${senderId}` : `/chat-privado/equipe/${groupId}`
    const preview = previewOf({ type: mediaType, body: plainText(text), mediaName: message.file?.name ?? null })
    const pushed = { kind: 'notice', tag, seq, title: senderName, text: preview, at: null } as const
    const to = { tenantId, sessionId, subscription: device.subscription, sender }
    const isGone = (await pushTo(platform, to, pushed)) === 'gone'
    await platform.db.write(tenantId, async (tx) => {
      if (isGone) await removeSubscription(tx, sessionId)
      else await markReached(tx, sessionId, platform.now())
    })
  },
})

/** Records a job for each device of those to whom colleagues wrote; several messages of a conversation make one notice. */
export function recordPrivate(
  ctx: Ctx,
  changes: readonly Change[],
  devices: readonly { sessionId: string; userId: number }[],
  runAt: Date,
): void {
  for (const { type, payload, audience, seq } of changes) {
    if (type !== chat.create.type || audience.kind !== 'users') continue
    const { id: messageId, senderId, groupId } = payload as PrivateMessage
    for (const { sessionId, userId } of devices) {
      if (userId === senderId || !audience.ids.includes(userId)) continue
      const queue = `push:${ctx.tenantId}:${sessionId}`
      const key = `${queue}:${groupId === null ? `u${senderId}` : `g${groupId}`}`
      ctx.enqueue(privateNoticeJob, { sessionId, messageId, seq: seq! }, { key, queue, runAt, priority: 1 })
    }
  }
}
