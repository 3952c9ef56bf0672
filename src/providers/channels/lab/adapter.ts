import type { ChannelAdapter, Outbound } from '../port.ts'
import { sendFailure } from '../port.ts'

/** What became of a message that was handed to the lab: the phone has it, nobody has that number, the line is down. */
export type LabDelivery = 'delivered' | 'unknown-number' | 'line-down'

/** The lab's side of the line, as the adapter reaches it. */
export type LabLine = {
  /** Puts the message on the phone; the same message id again changes nothing. */
  deliver(message: Outbound): Promise<LabDelivery>
  presence: NonNullable<ChannelAdapter['presence']>
  read: NonNullable<ChannelAdapter['markRead']>
}

/** The channel of the virtual phones: behaves like a linked WhatsApp, without an account and without a network. */
export function createLabAdapter(line: LabLine): ChannelAdapter {
  return {
    kind: 'lab',
    label: 'Laboratório',
    capabilities: {
      media: true,
      quote: true,
      presence: true,
      maxTextLength: 65_536,
      maxFileBytes: 100 * 1024 * 1024,
      windowHours: null,
    },
    isIdempotent: true,
    async send(message) {
      const delivery = await line.deliver(message)
      if (delivery === 'line-down') throw sendFailure('unreachable', 'ERR_WAPP_NOT_INITIALIZED')
      if (delivery === 'unknown-number') throw sendFailure('refused', 'ERR_WAPP_INVALID_CONTACT')
      return { providerId: message.messageId }
    },
    presence: line.presence,
    markRead: line.read,
  }
}
