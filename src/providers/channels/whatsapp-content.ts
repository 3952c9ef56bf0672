import { type AdSource, isRecord } from '#domain/messages/data.ts'
import { textIn } from './found-text.ts'
import type { AdReply, Content, Context } from './whatsapp-shapes.ts'

/** Deeper no envelope lies within another. */
const MOST_ENVELOPES = 10

/** The message within an envelope, of whichever name; null for what is none. */
const envelopeIn = (value: unknown): Readonly<Record<string, unknown>> | null =>
  isRecord(value) && isRecord(value['message']) && Object.keys(value['message']).length > 0 ? value['message'] : null

/** The envelopes that a message has around it, the outermost first, with what is in each; the last is the message itself. */
function* layersOf(content: unknown): Generator<readonly [envelope: string, inner: Readonly<Record<string, unknown>>]> {
  let layer: unknown = content
  for (let depth = 0; depth < MOST_ENVELOPES && isRecord(layer); depth += 1) {
    const found = Object.entries(layer).find(([, value]) => envelopeIn(value))
    if (!found) return
    const [name, value] = found
    // What belongs to the message lies beside its envelope.
    const about = isRecord(layer['messageContextInfo']) ? { messageContextInfo: layer['messageContextInfo'] } : {}
    const inner = { ...about, ...envelopeIn(value) }
    layer = inner
    yield [name, inner]
  }
}

/** What lies within the envelopes that WhatsApp puts around some messages (`{ xMessage: { message } }`), whatever their names. */
export function unwrapped<T>(content: T): T {
  let inner: unknown = content
  for (const [, layer] of layersOf(content)) inner = layer
  return (isRecord(inner) ? inner : {}) as T
}

/** Whether somebody wants it to be looked at once: it is not kept here, though some devices give it to us. */
export function isOnce(content: unknown): boolean {
  const names = [...layersOf(content)].map(([name]) => name)
  // Before its envelope is opened one that has nothing in it is an envelope too.
  const isWrapped = [...names, ...Object.keys(isRecord(content) ? content : {})].some((name) => /^viewOnce/.test(name))
  const inner = unwrapped<unknown>(content)
  const parts = isRecord(inner) ? [inner['imageMessage'], inner['videoMessage'], inner['audioMessage']] : []
  return isWrapped || parts.some((part) => isRecord(part) && part['viewOnce'] === true)
}

/** A kind that is not carried yet: it stands there, to be seen on the phone. */
export const UNSEEN = 'Veja no celular.'
/** One that may be looked at once is given to the phone alone. */
export const VIEW_ONCE = 'Mensagem de visualização única. Veja no celular.'

/** What nobody says: keys, the frame of an album whose pictures follow, what is pinned or kept, what the device is told. */
const SILENT = new Set([
  ...['senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage', 'albumMessage'],
  ...['pinInChatMessage', 'keepInChatMessage', 'encReactionMessage', 'messageHistoryNotice', 'protocolMessage'],
  ...['reactionMessage', 'stickerSyncRmrMessage', 'pollResultSnapshotMessageV3', 'bcallMessage'],
])

/** Whether somebody said something, of a kind that cannot be read here. */
export const isUnreadable = (content: object): boolean =>
  Object.keys(content).some((key) => /(Message(V\d+)?|^conversation)$/.test(key) && !SILENT.has(key))

/** What stands for a message that cannot be read here: all the words of it that can, and where to see it. */
export const unseenOf = (content: unknown): { readonly type: 'text'; readonly body: string } => ({
  ...{ type: 'text', body: [textIn(content), UNSEEN].filter(Boolean).join('\n') },
})

type Captioned = { readonly caption?: string | null | undefined } | null | undefined

/** The text beside a file. */
export const captionOf = (content: {
  readonly imageMessage?: Captioned
  readonly videoMessage?: Captioned
  readonly documentMessage?: Captioned
}): string | null | undefined =>
  content.imageMessage?.caption ?? content.videoMessage?.caption ?? content.documentMessage?.caption

/** What it answers, whom it mentions, whether it was passed on, from which ad it came. */
export function contextOf(content: Content): Context | null {
  for (const part of Object.values(content))
    if (isRecord(part) && isRecord(part['contextInfo'])) return part['contextInfo']
  return null
}

/** What gateways and phones say of the ad by which somebody came. */
const BY_AD = /(^|_)ads?$|^ctwa/i

/** The ad or post from which a contact came with a message; null where it was none: a link has a preview of the same form. */
export function adSourceOf(reply: AdReply | undefined, context?: Context | null): AdSource | null {
  const { sourceId = '', sourceType = '', sourceUrl: url = '', title: headline = '', body: text = '' } = reply ?? {}
  const isPost = sourceType.toLowerCase() === 'post'
  const { conversionSource = '', entryPointConversionSource = '' } = context ?? {}
  const isByAd = BY_AD.test(conversionSource) || BY_AD.test(entryPointConversionSource)
  if (!isByAd && !isPost && sourceType.toLowerCase() !== 'ad' && !sourceId && !reply?.ctwaClid) return null
  return { sourceId, url, isPost, headline, text, picture: reply?.thumbnailUrl || reply?.originalImageUrl || null }
}
