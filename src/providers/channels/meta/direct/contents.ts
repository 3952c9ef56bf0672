import { fieldIn } from '#domain/keys.ts'
import { locationOf, type MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { notShown, textIn } from '../../found-text.ts'
import type { JsonValue } from '../../port.ts'
import { lookUp } from '../../read.ts'
import type { Attachment, Message } from './schemas.ts'

/** Content of one message as it is shown; a message of Meta may become several. */
export type Content = {
  readonly type: MessageType
  readonly body: string
  readonly data?: MessageData
  readonly remote?: { readonly name: string; readonly size: null; readonly pointer: JsonValue }
  readonly isStory?: true
  /** Whether it is a placeholder without any known text. */
  readonly isEmpty?: true
}

/** Pointer to a file at Meta: a link that expires and needs no token. */
export type LinkPointer = { readonly link: string }

/**
 * Converts a message into contents: one per file; all text becomes one, joined to the first file. `where`: name of the
 * service, for placeholders.
 */
export function contentsOf(message: Message, where: string): readonly Content[] {
  const { attachments = [], quick_reply, is_unsupported, referral } = message
  // A product that the message asks about is named beside the text.
  const product = referral?.product?.id ? `Produto: ${referral.product.id}` : ''
  const text = [message.text, product].filter(Boolean).join('\n')
  if (quick_reply) return [{ type: 'interactive_reply', body: text, data: { buttonId: quick_reply.payload ?? '' } }]
  const parts = unique(attachments.map((one) => partOf(one, where)))
  if (parts.length === 0 && text === '' && is_unsupported) return [unseen(where, null)]
  const texts = parts.filter(({ type }) => type === 'text')
  const others = parts.filter(({ type }) => type !== 'text')
  const [first, ...more] = others
  const body = withoutRepetition([text, ...texts.map((one) => one.body)]).join('\n')
  const isEmpty = texts.length > 0 && texts.every((one) => one.isEmpty) && text === ''
  if (body === '') return others
  return first?.remote && !first.isStory
    ? [{ ...first, body: [body, first.body].filter(Boolean).join('\n') }, ...more]
    : [{ type: 'text', body, ...(isEmpty ? { isEmpty } : {}) }, ...others]
}

/** Returns a placeholder for content that only the service shows, with the text found in it. */
export const unseen = (where: string, given: unknown): Content => ({
  ...{ type: 'text', body: notShown(where, given) },
  ...(textIn(given) === '' ? { isEmpty: true } : {}),
})

/** Returns the picture of the story that a message is about. */
export const storyContent = (body: string, link: string): Content => ({
  ...{ type: 'image', body, remote: remoteOf('image', link), isStory: true },
})

const linkOf = ({ remote }: Content) => remote && fieldIn(remote.pointer, 'link')

// A sticker is also sent as a picture, for older clients.
const unique = (parts: readonly Content[]): Content[] => {
  const stickers = new Set(parts.flatMap((part) => (part.type === 'sticker' ? linkOf(part) : [])))
  return parts.filter((part) => part.type !== 'image' || !stickers.has(linkOf(part)))
}

// A link comes with its target, and is often repeated in the text.
function withoutRepetition(texts: readonly string[]): string[] {
  const added: string[] = []
  const [own = '', ...others] = texts
  for (const one of others.flatMap((text) => text.split('\n')))
    if (one !== '' && !own.includes(one) && !added.includes(one)) added.push(one)
  return [own, ...added].filter(Boolean)
}

function partOf(attachment: Attachment, where: string): Content {
  const { type = '', payload = {} } = attachment
  const link = linkIn(attachment)
  const title = payload.title ?? attachment.title ?? ''
  if (type === 'story_mention') {
    const body = 'Mencionou a empresa em um story'
    return link ? storyContent(body, link) : { type: 'text', body }
  }
  if (type === 'like_heart') return { type: 'text', body: '❤' }
  const kind = lookUp(FILES, type)
  if (kind && link) return { type: kind, body: '', remote: remoteOf(kind, link) }
  if (type.includes('story') && link)
    return { type: 'image', body: title || 'Compartilhou um story', remote: remoteOf('image', link) }
  const found = locationOf({ latitude: payload.coordinates?.lat, longitude: payload.coordinates?.long })
  if (found) return { type: 'location', body: title, data: { ...found, ...(title ? { name: title } : {}) } }
  // A shared post, reel or link.
  const body = [title, link].filter(Boolean).join('\n')
  return body ? { type: 'text', body } : unseen(where, attachment)
}

/**
 * Returns the URL of an attachment; stories name it in another field, and external links are unwrapped from the service's
 * redirect.
 */
function linkIn({ payload = {}, ...about }: Attachment): string | null {
  const named = [
    payload.url,
    about.url,
    ...Object.entries(payload).map(([name, one]) => (/url$/i.test(name) ? one : null)),
  ]
  const link = named.find((one) => typeof one === 'string' && /^https?:\/\//i.test(one))
  if (typeof link !== 'string') return null
  const to = URL.parse(link)
  const led = to && /^l\.(facebook|instagram)\.com$/.test(to.hostname) ? to.searchParams.get('u') : null
  return led && /^https?:\/\//i.test(led) ? led : link
}

const FILES: Readonly<Record<string, keyof typeof NAMES>> = {
  ...{ image: 'image', video: 'video', audio: 'audio', file: 'document', sticker: 'sticker' },
}
const NAMES = { image: 'imagem', video: 'video', audio: 'audio', document: 'documento', sticker: 'figurinha' } as const

function remoteOf(kind: keyof typeof NAMES, link: string) {
  const name = URL.parse(link)?.pathname.split('/').at(-1) ?? ''
  const pointer: LinkPointer = { link }
  return { name: /\.\w{1,5}$/.test(name) ? decoded(name) : NAMES[kind], size: null, pointer }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
