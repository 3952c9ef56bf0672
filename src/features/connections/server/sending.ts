import { conversationsOf, sendTurn } from '#features/ledger/server/outbox/index.ts'
import type { ChannelConversation, OutboxSender } from '#features/ledger/server/ports/index.ts'
import type { Platform } from '#server/platform.ts'

/** Maximum number of conversations of one connection that send at the same time. */
const MOST_AT_ONCE = 8
/** Delay before a retry after an internal error, in ms. */
const RETRY_MS = 5000

/** Sends by a connection that this process keeps open: conversations side by side, each in its order. */
export function sendingOf(
  platform: Platform,
  { tenantId, connectionId }: { tenantId: number; connectionId: number },
  sender: OutboxSender,
) {
  /** By conversation, whether what waits for another try goes now. */
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
    /** A conversation has something to send; `isUrgent`: also what waits for another try. */
    wake,
    /** Every conversation that has. */
    async wakeAll(isUrgent = false) {
      for (const key of await conversationsOf(platform, tenantId, connectionId)) add(key, isUrgent)
      next()
    },
    /** Begins nothing more, and waits for what is being sent. */
    async end() {
      isOver = true
      await Promise.all(running.values())
    },
  }
}
