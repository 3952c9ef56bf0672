import type { ChannelConfig } from '../config.ts'
import { linkedCapabilities } from '../linked-capabilities.ts'

const MB = 1024 * 1024

/** Config of WhatsApp numbers with a device linked to their phone. */
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
    ...linkedCapabilities,
    files: {
      ...linkedCapabilities.files,
      video: { maxBytes: 64 * MB, mimes: ['video/mp4', 'video/3gpp'] },
      document: { maxBytes: 100 * MB },
    },
    poll: { max: 12, chars: 100 },
    viewOnce: ['image', 'video', 'audio'],
    groupTools: true,
    presence: true,
    calls: true,
    history: true,
    idempotentSending: true,
  },
}
