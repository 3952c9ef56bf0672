import type { ChannelCapabilities } from './config.ts'

const MB = 1024 * 1024

/** File limits of WhatsApp's official platform for pictures, films and recordings, at any host of the account. */
export const officialFiles = {
  image: { maxBytes: 5 * MB, mimes: ['image/jpeg', 'image/png'] },
  video: { maxBytes: 16 * MB, mimes: ['video/mp4', 'video/3gpp'] },
  audio: {
    maxBytes: 16 * MB,
    mimes: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/x-m4a', 'audio/aac', 'audio/amr'],
    caption: false,
    voice: true,
  },
} as const satisfies ChannelCapabilities['files']
