import type { proto } from 'baileys'

/** Returns the message within an envelope: a document with a caption, or a view-once file. */
export const unwrapped = (message: proto.IMessage): proto.IMessage =>
  message.documentWithCaptionMessage?.message ?? message.viewOnceMessage?.message ?? message
