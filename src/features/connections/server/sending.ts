import { conversationsOf, sendTurn } from '#features/ledger/server/outbox/index.ts'
import type { ChannelConversation, OutboxSender } from '#features/ledger/server/ports/index.ts'
import type { Platform } from '#server/platform.ts'

/** Maximum number of conversations of one connection that send at the same time. */
const MOST_AT_ONCE = 8
/** Delay before a retry after an internal error, in ms. */
const RETRY_MS = 5000

/** Sender for a connection that this process holds: concurrent conversations, each in order. */
export function sendingOf(
  platform: Platform,
  { tenantId, connectionId }: { tenantId: number; connectionId: number },
  sender: OutboxSender,
) {
  /** Waiting conversations, with whether their messages that wait for a retry are sent now. */
  const waiting = new Map<string, boolean>()
  const running = new Map<string, Promise<void>>()
  let isOver = false

  function next() {
    for (const [key, isUrgent] of waiting) {
      if (isOver || running.size >= MOST_AT_ONCE) return
      if (running.has(key)) continue
      waiting.delete(key)
      const turn = send({ connectionId, conversationKey: key }, isUrgent).finally(() => {
        running.delete(key)
        next()
      })
      running.set(key, turn)
    }
  }
  async function send(conversation: ChannelConversation, isUrgent: boolean) {
    try {
      if (await sendTurn(platform, tenantId, conversation, { ...sender, isUrgent })) add(conversation.conversationKey)
    } catch (err) {
      if (isOver) return
      platform.log.warn({ err, tenantId, connectionId }, 'sending by an open connection failed')
      setTimeout(() => wake(conversation.conversationKey), RETRY_MS).unref()
    }
  }
  const add = (key: string, isUrgent = false) => void waiting.set(key, isUrgent || waiting.get(key) === true)
  function wake(conversationKey: string, isUrgent = false) {
    add(conversationKey, isUrgent)
    next()
  }
  return {
    /** Wakes a conversation that has something to send; `isUrgent`: also messages that wait for a retry. */
    wake,
    /** Wakes every conversation that has something to send. */
    async wakeAll(isUrgent = false) {
      for (const key of await conversationsOf(platform, tenantId, connectionId)) add(key, isUrgent)
      next()
    },
    /** Starts no further sends, and waits for running ones. */
    async end() {
      isOver = true
      await Promise.all(running.values())
    },
  }
}
