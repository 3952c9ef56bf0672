import type { proto } from 'baileys'

/** A message as it stands in what it is sent in: a document with words, a file to be seen once. */
export const unwrapped = (message: proto.IMessage): proto.IMessage =>
  message.documentWithCaptionMessage?.message ?? message.viewOnceMessage?.message ?? message
