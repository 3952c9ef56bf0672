import type { MakeChannelAdapter } from '../port.ts'

/**
 * The webchat's far end is our own ledger: a message that is stored can be read by its visitor, so handing it over is
 * nothing more than giving it its own id, and an act on it nothing at all; open pages learn of both from the changes feed.
 */
export const webchatAdapter: MakeChannelAdapter = () => ({
  send: async ({ messageId }) => ({ providerId: messageId }),
  act: async () => {},
})
