import { type ChannelConfig, noCapabilities } from '../config.ts'
import { gatewayFiles } from '../whatsapp-files.ts'

/** Numbers of WhatsApp whose phone is linked to a server of UAZAPI (uazapiGO, version 2). */
export const uazapiConfig: ChannelConfig = {
  id: 'uazapi',
  types: [{ type: 'uazapi', name: 'WhatsApp Uazapi (QR Code)' }],
  look: { icon: 'whatsapp', color: 'sky' },
  fields: {},
  isPersistent: true,
  isPaced: true,
  webhook: { isRegistered: true },
  settings: {
    name: 'Uazapi',
    fields: {
      url: { kind: 'url', label: 'URL da API', required: true, default: 'https://free.uazapi.com' },
      key: { kind: 'secret', label: 'Chave Global', required: true },
    },
  },
  capabilities: {
    ...noCapabilities,
    maxTextLength: 65_536,
    files: gatewayFiles,
    quote: true,
    forward: true,
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
