import { type ChannelConfig, noCapabilities } from '../config.ts'

/** A number of WhatsApp, by a device that is linked to its phone. */
export const baileysConfig: ChannelConfig = {
  id: 'baileys',
  types: [{ type: 'baileys', name: 'WhatsApp (aparelho conectado)' }],
  look: { icon: 'whatsapp', color: 'green' },
  fields: {},
  isPersistent: true,
  environment: ['WHATSAPP_WEB_URL', 'WHATSAPP_WEB_ROOT', 'WHATSAPP_WEB_CA'],
  capabilities: {
    ...noCapabilities,
    maxTextLength: 65_536,
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
    receipts: ['delivered', 'read'],
    numberCheck: true,
    history: true,
    qr: true,
    pairingCode: true,
    begins: 'anyone',
    idempotentSending: true,
  },
}
