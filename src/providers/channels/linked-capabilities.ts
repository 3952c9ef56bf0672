import { type ChannelCapabilities, noCapabilities } from './config.ts'

const MB = 1024 * 1024

/**
 * Defaults of a phone linked by QR code; each provider overrides what differs. Gateways take a file as base64 within one
 * request, so that their videos and documents are smaller.
 */
export const linkedCapabilities: ChannelCapabilities = {
  ...noCapabilities,
  maxTextLength: 65_536,
  files: {
    image: { maxBytes: 16 * MB, mimes: ['image/jpeg', 'image/png', 'image/webp'] },
    video: { maxBytes: 50 * MB, mimes: ['video/mp4', 'video/3gpp'] },
    audio: {
      maxBytes: 16 * MB,
      mimes: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'],
      caption: false,
      voice: true,
    },
    document: { maxBytes: 50 * MB },
    sticker: { maxBytes: MB, mimes: ['image/webp'], caption: false },
  },
  quote: true,
  forward: true,
  react: true,
  editMinutes: 15,
  revokeHours: 48,
  contact: true,
  location: true,
  groups: true,
  mentions: true,
  receipts: ['delivered', 'read', 'played'],
  numberCheck: true,
  picture: true,
  qr: true,
  pairingCode: true,
  begins: 'anyone',
}
