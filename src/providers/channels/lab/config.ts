import type { ChannelConfig } from '../config.ts'
import { phoneCapabilities } from '../phone-capabilities.ts'

/** The channel of the virtual phones: behaves like a linked WhatsApp, without an account and without a network. */
export const labConfig: ChannelConfig = {
  id: 'lab',
  types: [{ type: 'lab', name: 'Laboratório' }],
  look: { icon: 'lab', color: 'violet' },
  fields: {},
  screen: '/laboratorio',
  capabilities: phoneCapabilities,
}
