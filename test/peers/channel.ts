import { addChannel } from '#providers/channels/adapters.ts'
import type { ChannelAdapter, Outbound, ProviderEvent } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'

/** A channel whose other end is the test: it keeps what it was given, and fails as it is told. */
export type TestChannel = { sent: Outbound[]; read: string[]; behave: (send: ChannelAdapter['send']) => void }

/** Connects a channel of type `test` to a platform; by default it accepts everything with our own id. */
export function testChannel(platform: Platform, options: { isIdempotent?: boolean } = {}): TestChannel {
  const accept: ChannelAdapter['send'] = async (message) => {
    if (!channel.sent.some((earlier) => earlier.messageId === message.messageId)) channel.sent.push(message)
    return { providerId: message.messageId }
  }
  let send = accept
  const channel: TestChannel = {
    sent: [],
    read: [],
    behave: (next) => {
      send = next
    },
  }
  addChannel(platform, {
    kind: 'test',
    label: 'Teste',
    isIdempotent: options.isIdempotent ?? true,
    capabilities: {
      media: true,
      quote: true,
      presence: true,
      maxTextLength: 4096,
      maxFileBytes: 1_000_000,
      windowHours: null,
    },
    send: (message) => send(message),
    markRead: ({ conversationKey }) => {
      channel.read.push(conversationKey)
    },
  })
  return channel
}

let counter = 0

/** A text from a contact, as a provider would tell it. */
export function textEvent(about: {
  from: string
  body: string
  id?: string
  at?: number
  dedupeKey?: string
  name?: string
}): Extract<ProviderEvent, { type: 'message' }> {
  const id = about.id ?? `ext-${++counter}`
  return {
    type: 'message',
    dedupeKey: about.dedupeKey ?? id,
    conversationKey: about.from,
    sender: { identity: about.from, name: about.name ?? `Cliente ${about.from}`, number: about.from },
    message: { providerId: id, timestamp: about.at ?? Date.now(), type: 'text', body: about.body },
  }
}

/** A tick for a message that was sent. */
export const receiptEvent = (
  conversationKey: string,
  providerId: string,
  status: 'delivered' | 'read',
): ProviderEvent => ({
  type: 'receipt',
  dedupeKey: `${providerId}:${status}`,
  conversationKey,
  providerId,
  status,
  timestamp: Date.now(),
})
