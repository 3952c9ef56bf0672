import { type ChannelConfig, noCapabilities } from '../config.ts'

const MB = 1024 * 1024

/** A number of WhatsApp, by a device that is linked to its phone. */
export const baileysConfig: ChannelConfig = {
  id: 'baileys',
  contactField: 'lid',
  types: [{ type: 'baileys', name: 'WhatsApp (QR Code)', formerly: ['whatsapp'] }],
  look: { icon: 'whatsapp', color: 'green' },
  about: {
    does: 'Um número de WhatsApp que você já usa, conectado como um aparelho a mais.',
    asks: 'O celular com o número, para ler um QR Code.',
    takes: '2 minutos',
  },
  fields: {},
  isPersistent: true,
  isPaced: true,
  isProxied: true,
  needs: 'baileys',
  environment: ['WHATSAPP_WEB_URL', 'WHATSAPP_WEB_ROOT', 'WHATSAPP_WEB_CA'],
  capabilities: {
    ...noCapabilities,
    maxTextLength: 65_536,
    files: {
      image: { maxBytes: 16 * MB, mimes: ['image/jpeg', 'image/png', 'image/webp'] },
      video: { maxBytes: 64 * MB, mimes: ['video/mp4', 'video/3gpp'] },
      audio: {
        maxBytes: 16 * MB,
        mimes: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'],
        caption: false,
        voice: true,
      },
      document: { maxBytes: 100 * MB },
      sticker: { maxBytes: MB, mimes: ['image/webp'], caption: false },
    },
    quote: true,
    forward: true,
    react: true,
    editMinutes: 15,
    revokeHours: 48,
    contact: true,
    location: true,
    poll: { max: 12, chars: 100 },
    viewOnce: ['image', 'video', 'audio'],
    groups: true,
    mentions: true,
    presence: true,
    calls: true,
    receipts: ['delivered', 'read', 'played'],
    numberCheck: true,
    picture: true,
    history: true,
    qr: true,
    pairingCode: true,
    begins: 'anyone',
    idempotentSending: true,
  },
}
