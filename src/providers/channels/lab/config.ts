import { type ChannelConfig, noCapabilities } from '../config.ts'

const file = { maxBytes: 100 * 1024 * 1024 }

/** The channel of the virtual phones: behaves like a linked WhatsApp, without an account and without a network. */
export const labConfig: ChannelConfig = {
  id: 'lab',
  types: [{ type: 'lab', name: 'Laboratório' }],
  look: { icon: 'lab', color: 'violet' },
  fields: {},
  screen: '/laboratorio',
  capabilities: {
    ...noCapabilities,
    maxTextLength: 65_536,
    files: { image: file, video: file, audio: file, document: file },
    quote: true,
    forward: true,
    react: true,
    editMinutes: 15,
    revokeHours: 48,
    contact: true,
    location: true,
    buttons: { max: 3, chars: 20 },
    groups: true,
    mentions: true,
    presence: true,
    receipts: ['delivered', 'read', 'played'],
    history: true,
    begins: 'anyone',
    idempotentSending: true,
  },
}
