import { type ChannelCapabilities, noCapabilities } from './config.ts'

const MB = 1024 * 1024
const file = { maxBytes: 100 * MB }

/** Capabilities of virtual phones on any channel: those of a linked WhatsApp. */
export const phoneCapabilities: ChannelCapabilities = {
  ...noCapabilities,
  maxTextLength: 65_536,
  files: {
    ...{ image: file, video: file, document: file },
    audio: { ...file, voice: true },
    sticker: { maxBytes: MB, mimes: ['image/webp'], caption: false },
  },
  quote: true,
  forward: true,
  react: true,
  editMinutes: 15,
  revokeHours: 48,
  contact: true,
  location: true,
  buttons: { max: 3, chars: 20 },
  list: { rows: 10, title: 24, description: 72, button: 20, section: 24 },
  groups: true,
  mentions: true,
  groupTools: true,
  presence: true,
  receipts: ['delivered', 'read', 'played'],
  addressBook: true,
  numberCheck: true,
  history: true,
  begins: 'anyone',
  idempotentSending: true,
}
