import '#test/channels/register.ts'
import { provideLocalEnd } from '#features/connections/server/index.ts'
import type { ChannelAction, ChannelAdapter, Outbound, ProviderEvent } from '#providers/channels/port.ts'
import type { Platform } from '#server/platform.ts'
import type { TestEnd } from '#test/channels/test/adapter.ts'
import { testConfig } from '#test/channels/test/config.ts'

/** Channel whose other end is the test: it stores what it receives, and fails on demand. */
export type TestChannel = {
  sent: Outbound[]
  read: string[]
  /** Actions on messages, once per request. */
  acts: MessageAction[]
  behave: (send: ChannelAdapter['send']) => void
  behaveActs: (act: (action: MessageAction) => Promise<void>) => void
}
type MessageAction = Extract<ChannelAction, { providerId: string }>

const current = new WeakMap<Platform, TestEnd>()
const lastEnded = new WeakMap<Platform, number>()

/** Has the platform's next test channels ignore what jobs of companies up to this id still send. */
export const endCompanies = (platform: Platform, lastTenantId: number): void => {
  lastEnded.set(platform, lastTenantId)
}

provideLocalEnd('test', (platform): TestEnd => {
  const end = () => current.get(platform)!
  return {
    send: (message) => end().send(message),
    deliver: async () => 'delivered',
    act: (action) => end().act(action),
  }
})

/** Makes the test the other end of a platform's channel `test`; by default it accepts everything with our own id. */
export function testChannel(platform: Platform, { isIdempotent = true } = {}): TestChannel {
  const accept: ChannelAdapter['send'] = async (message) => {
    if (!channel.sent.some((earlier) => earlier.messageId === message.messageId)) channel.sent.push(message)
    return { providerId: message.messageId }
  }
  let send = accept
  let act = async (_action: MessageAction): Promise<void> => {}
  const channel: TestChannel = {
    sent: [],
    read: [],
    acts: [],
    behaveActs: (next) => {
      act = next
    },
    behave: (next) => {
      send = next
    },
  }
  testConfig.capabilities.idempotentSending = isIdempotent
  const ended = lastEnded.get(platform) ?? 0
  current.set(platform, {
    send: async (message) => (message.tenantId > ended ? send(message) : { providerId: message.messageId }),
    deliver: async () => 'delivered',
    act: async (action) => {
      if (action.tenantId <= ended) return
      if (action.type === 'read') channel.read.push(action.conversationKey)
      if (!('providerId' in action)) return
      await act(action)
      channel.acts.push(action)
    },
  })
  return channel
}

let counter = 0

/** Returns the event of a contact's text message, as a provider reports it. */
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
