import type { FileLimits } from '#domain/messages/file-limits.ts'

const MB = 1024 * 1024

/** The files that a linked phone carries by a gateway, which takes each as one text of a call. */
export const gatewayFiles: FileLimits = {
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
}
