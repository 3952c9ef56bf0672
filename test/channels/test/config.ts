import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'

const file = { maxBytes: 10_000_000 }

/** Channel whose other end is the test itself (test/peers/channel.ts), which decides whether it is idempotent. */
export const testConfig = {
  id: 'test',
  types: [{ type: 'test', name: 'Teste' }],
  look: { icon: 'phone', color: 'teal' },
  about: { does: 'Um canal de teste.', asks: 'Nada.', takes: '1 minuto' },
  fields: {},
  capabilities: {
    ...noCapabilities,
    maxTextLength: 4096,
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
    receipts: ['delivered', 'read'],
    begins: 'anyone',
    idempotentSending: true as boolean,
  },
} satisfies ChannelConfig
