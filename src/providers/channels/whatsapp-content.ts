import type { proto } from 'baileys'

/** Whether somebody wants it to be looked at once: it is not kept here, though some devices give it to us. */
export function isOnce(message: proto.IMessage | null | undefined): boolean {
  if (!message) return false
  const { viewOnceMessage, viewOnceMessageV2, viewOnceMessageV2Extension, ephemeralMessage, ...parts } = message
  const isMarked = [parts.imageMessage, parts.videoMessage, parts.audioMessage].some((part) => part?.viewOnce)
  const isWrapped = [viewOnceMessage, viewOnceMessageV2, viewOnceMessageV2Extension].some(Boolean)
  return isMarked || isWrapped || isOnce(ephemeralMessage?.message)
}

/** A kind that is not carried yet: it stands there, to be seen on the phone. */
export const UNSEEN = 'Veja no celular.'
/** One that may be looked at once is given to the phone alone. */
export const VIEW_ONCE = 'Mensagem de visualização única. Veja no celular.'

/** What nobody says: keys, the frame of an album whose pictures follow, what is pinned or kept. */
const SILENT = new Set([
  ...['senderKeyDistributionMessage', 'albumMessage', 'pinInChatMessage', 'keepInChatMessage'],
  ...['encReactionMessage', 'messageHistoryNotice'],
])

/** Whether somebody said something, of a kind that cannot be read here. */
export const isUnreadable = (content: proto.IMessage): boolean =>
  Object.keys(content).some((key) => key.endsWith('Message') && !SILENT.has(key))

/** The text beside a file. */
export const captionOf = ({ imageMessage, videoMessage, documentMessage }: proto.IMessage): string | null | undefined =>
  imageMessage?.caption ?? videoMessage?.caption ?? documentMessage?.caption

/** What it answers, whom it mentions, whether it was passed on. */
export const contextOf = (content: proto.IMessage): proto.IContextInfo | null =>
  Object.values(content).find((part) => typeof part === 'object' && part && 'contextInfo' in part)?.contextInfo ?? null
