import { isRecord } from '#domain/keys.ts'
import type { AdSource } from '#domain/messages/data.ts'
import { textIn } from './found-text.ts'
import type { AdReply, Content, Context } from './whatsapp-shapes.ts'

/** Maximum depth of envelopes. */
const MOST_ENVELOPES = 10

/** Returns the message within an envelope; null if the value is no envelope. */
const envelopeIn = (value: unknown): Readonly<Record<string, unknown>> | null =>
  isRecord(value) && isRecord(value['message']) && Object.keys(value['message']).length > 0 ? value['message'] : null

/** Yields the envelopes of a message, outermost first, each with its inner content; the last inner one is the message itself. */
function* layersOf(content: unknown): Generator<readonly [envelope: string, inner: Readonly<Record<string, unknown>>]> {
  let layer: unknown = content
  for (let depth = 0; depth < MOST_ENVELOPES && isRecord(layer); depth += 1) {
    const found = Object.entries(layer).find(([, value]) => envelopeIn(value))
    if (!found) return
    const [name, value] = found
    // Context of the message is beside its envelope.
    const about = isRecord(layer['messageContextInfo']) ? { messageContextInfo: layer['messageContextInfo'] } : {}
    const inner = { ...about, ...envelopeIn(value) }
    layer = inner
    yield [name, inner]
  }
}

/** Returns the message within WhatsApp's envelopes (`{ xMessage: { message } }`), whatever their names. */
export function unwrapped<T>(content: T): T {
  let inner: unknown = content
  for (const [, layer] of layersOf(content)) inner = layer
  return (isRecord(inner) ? inner : {}) as T
}

/** Whether a message is view once; its file is not stored here, though some devices receive it. */
export function isOnce(content: unknown): boolean {
  const names = [...layersOf(content)].map(([name]) => name)
  // An empty envelope is still an envelope before it is unwrapped.
  const isWrapped = [...names, ...Object.keys(isRecord(content) ? content : {})].some((name) => /^viewOnce/.test(name))
  const inner = unwrapped<unknown>(content)
  const parts = isRecord(inner) ? [inner['imageMessage'], inner['videoMessage'], inner['audioMessage']] : []
  return isWrapped || parts.some((part) => isRecord(part) && part['viewOnce'] === true)
}

/** Text for an unsupported kind of message, which the phone shows. */
export const UNSEEN = 'Veja no celular.'
/** Text for a view-once message, which only the phone receives. */
export const VIEW_ONCE = 'Mensagem de visualização única. Veja no celular.'

/** Fields that are no content of an author: keys, album parents, pins, messages to the device. */
const SILENT = new Set([
  ...['senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage', 'albumMessage'],
  ...['pinInChatMessage', 'keepInChatMessage', 'encReactionMessage', 'messageHistoryNotice', 'protocolMessage'],
  ...['reactionMessage', 'stickerSyncRmrMessage', 'pollResultSnapshotMessageV3', 'bcallMessage'],
])

/** Whether a message has content of an unsupported kind. */
export const isUnreadable = (content: object): boolean =>
  Object.keys(content).some((key) => /(Message(V\d+)?|^conversation)$/.test(key) && !SILENT.has(key))

/** Returns a placeholder for an unsupported message: all text found in it, and where to see it. */
export const unseenOf = (content: unknown): { readonly type: 'text'; readonly body: string } => ({
  ...{ type: 'text', body: [textIn(content), UNSEEN].filter(Boolean).join('\n') },
})

type Captioned = { readonly caption?: string | null | undefined } | null | undefined

/** Returns the caption of a file. */
export const captionOf = (content: {
  readonly imageMessage?: Captioned
  readonly videoMessage?: Captioned
  readonly documentMessage?: Captioned
}): string | null | undefined =>
  content.imageMessage?.caption ?? content.videoMessage?.caption ?? content.documentMessage?.caption

/** Returns the context of a message: quote, mentions, forwarding, ad. */
export function contextOf(content: Content): Context | null {
  for (const part of Object.values(content))
    if (isRecord(part) && isRecord(part['contextInfo'])) return part['contextInfo']
  return null
}

/** Values of gateways and phones that mark a conversation as started by an ad. */
const BY_AD = /(^|_)ads?$|^ctwa/i

/** Returns the ad or post through which a contact came; null if there was none: a link preview has the same form. */
export function adSourceOf(reply: AdReply | undefined, context?: Context | null): AdSource | null {
  const { sourceId = '', sourceType = '', sourceUrl: url = '', title: headline = '', body: text = '' } = reply ?? {}
  const isPost = sourceType.toLowerCase() === 'post'
  const { conversionSource = '', entryPointConversionSource = '' } = context ?? {}
  const isByAd = BY_AD.test(conversionSource) || BY_AD.test(entryPointConversionSource)
  if (!isByAd && !isPost && sourceType.toLowerCase() !== 'ad' && !sourceId && !reply?.ctwaClid) return null
  return { sourceId, url, isPost, headline, text, picture: reply?.thumbnailUrl || reply?.originalImageUrl || null }
}
