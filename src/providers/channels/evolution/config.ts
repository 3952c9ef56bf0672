import { type ChannelConfig, noCapabilities } from '../config.ts'
import { gatewayFiles } from '../whatsapp-files.ts'

/** Numbers of WhatsApp whose phone is linked to an Evolution API (version 2), which its owner runs. */
export const evolutionConfig: ChannelConfig = {
  id: 'evolution',
  types: [{ type: 'evo', name: 'WhatsApp Evolution (QR Code)' }],
  look: { icon: 'whatsapp', color: 'green' },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Evolution API',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'http://localhost:8080' },
      key: { kind: 'secret', label: 'Chave Global', required: true },
    },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 65_536,
    files: gatewayFiles,
    quote: true,
    react: true,
    editMinutes: 15,
    revokeHours: 48,
    contact: true,
    location: true,
    groups: true,
    mentions: true,
    presence: true,
    receipts: ['delivered', 'read', 'played'],
    numberCheck: true,
    picture: true,
    qr: true,
    pairingCode: true,
    begins: 'anyone',
  },
}
