import type { ChannelAdapter } from '../port.ts'

/**
 * The webchat of customers' sites. Its far end is our own ledger: a message that is stored can be read by its visitor, so
 * handing it over is nothing more than giving it its own id; open pages hear of it from the changes feed.
 */
export const webchatAdapter: ChannelAdapter = {
  kind: 'webchat',
  label: 'Webchat',
  capabilities: {
    media: true,
    quote: true,
    presence: true,
    maxTextLength: 4096,
    maxFileBytes: 16 * 1024 * 1024,
    windowHours: null,
  },
  isIdempotent: true,
  send: async ({ messageId }) => ({ providerId: messageId }),
}
