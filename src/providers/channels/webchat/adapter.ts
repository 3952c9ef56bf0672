import type { MakeChannelAdapter } from '../port.ts'

/**
 * Adapter of the webchat, whose messages are read from our own ledger: sending only gives a message its own id as the
 * provider id, and acts do nothing; open pages learn of both from the changes feed.
 */
export const webchatAdapter: MakeChannelAdapter = () => ({
  send: async ({ messageId }) => ({ providerId: messageId }),
  act: async () => {},
})
