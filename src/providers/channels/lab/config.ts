import type { ChannelConfig } from '../config.ts'
import { phoneCapabilities } from '../phone-capabilities.ts'

/** Config of the virtual phones' channel: behaves like a linked WhatsApp, without an account and without a network. */
export const labConfig: ChannelConfig = {
  id: 'lab',
  types: [{ type: 'lab', name: 'Laboratório' }],
  look: { icon: 'lab', color: 'violet' },
  about: {
    does: 'Um canal de mentira com telefones virtuais, para experimentar.',
    asks: 'Nada.',
    takes: 'menos de 1 minuto',
  },
  fields: {},
  screen: '/laboratorio',
  capabilities: phoneCapabilities,
}
