import type { AdSource, MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import type { AccountEvent, JsonValue, ProviderEvent } from '../../port.ts'
import { attempt, type Read, received, unread } from '../../read.ts'
import { isMessageId } from '../message-id.ts'

type Payload = { readonly url?: string; readonly title?: string; readonly sticker_id?: number }
type Attachment = { readonly type: string; readonly payload?: Payload; readonly url?: string; readonly title?: string }

/** The ad, post or link from which somebody came. */
type Referral = {
  readonly source?: string
  readonly ad_id?: string
  readonly ads_context_data?: { readonly ad_title?: string; readonly photo_url?: string; readonly post_id?: string }
}

type Message = {
  readonly mid: string
  readonly text?: string
  readonly attachments?: readonly Attachment[]
  readonly quick_reply?: { readonly payload?: string }
  readonly reply_to?: { readonly mid?: string; readonly story?: { readonly url?: string } }
  readonly referral?: Referral
  readonly is_echo?: boolean
  readonly app_id?: number | string
  readonly metadata?: string
  readonly is_deleted?: boolean
  readonly is_unsupported?: boolean
}

/** What happened in a conversation; the account is one of both ends. */
type Happening = {
  readonly sender?: { readonly id: string }
  readonly recipient?: { readonly id: string }
  /** Milliseconds. */
  readonly timestamp?: number
  readonly message?: Message
  readonly message_edit?: { readonly mid: string; readonly text: string; readonly num_edit?: number }
  readonly postback?: {
    readonly mid?: string
    readonly title?: string
    readonly payload?: string
    readonly referral?: Referral
  }
  readonly reaction?: {
    readonly mid: string
    readonly action: string
    readonly reaction?: string
    readonly emoji?: string
  }
  readonly read?: { readonly watermark?: number; readonly mid?: string }
  readonly delivery?: { readonly mids?: readonly string[]; readonly watermark?: number }
  readonly referral?: Referral
}

type Comment = {
  readonly id: string
  readonly text?: string
  readonly from?: { readonly id: string; readonly username?: string }
  readonly media?: { readonly id?: string }
}

/** An entry of a body about a page or an Instagram account, whose id it has. */
export type DirectEntry = {
  readonly id?: string
  readonly time?: number
  readonly messaging?: readonly Happening[]
  readonly standby?: readonly Happening[]
  readonly changes?: readonly { readonly field: string; readonly value: object }[]
}

/**
 * Reads the entries of a call about pages (`page`) or Instagram accounts (`instagram`): events, each of an account, and the
 * names of what is of no kind that is read here. What another app of the company's answers (`standby`) is that app's.
 */
export function directEventsIn(
  object: 'page' | 'instagram',
  entries: readonly DirectEntry[],
  appId: string,
): { readonly events: readonly AccountEvent[]; readonly unread: readonly string[] } {
  const events: AccountEvent[] = []
  const names: string[] = []
  for (const { id: account = '', time = 0, messaging = [], standby = [], changes = [] } of entries) {
    const read = [
      ...messaging.map((one) => attempt(() => eventsOf(one, { object, account, appId }))),
      ...standby.map(() => unread('standby')),
      ...changes.map(({ field, value }) =>
        attempt(() =>
          object === 'instagram' && field === 'comments' ? commentOf(value as Comment, account, time) : unread(field),
        ),
      ),
    ]
    for (const one of read) {
      events.push(...one.events.map((event) => ({ account, event })))
      if (one.unread) names.push(`${object}.${one.unread}`)
    }
  }
  return { events, unread: names }
}

type Of = { readonly object: 'page' | 'instagram'; readonly account: string; readonly appId: string }

function eventsOf(one: Happening, of: Of): Read {
  const { message, postback, reaction, read, delivery, message_edit: edit } = one
  const isOurs = one.sender!.id === of.account
  const [contact, at] = [isOurs ? one.recipient!.id : one.sender!.id, one.timestamp ?? 0]
  if (message) return message.is_echo ? echoOf(message, contact, at, of) : messageOf(message, contact, at, of)
  // What the company itself did elsewhere is told by echoes.
  if (isOurs) return received([])
  if (postback) return pressedOf(postback, contact, at)
  if (edit) {
    const { mid, text, num_edit: n = 1 } = edit
    return received([{ ...act(mid, contact, at), type: 'edit', dedupeKey: `${mid}:edit:${n}:${at}`, body: text }])
  }
  if (reaction) {
    const { mid, action, emoji, reaction: name } = reaction
    const shown = action === 'react' ? (emoji ?? EMOJIS[name ?? ''] ?? '❤') : null
    return received([{ ...act(mid, contact, at), type: 'reaction', dedupeKey: `${mid}:reaction:${at}`, emoji: shown }])
  }
  if (read)
    return received([
      ...receipts('read', read.mid ? [read.mid] : [], contact, at),
      watermark('read', contact, read.watermark ?? at),
    ])
  if (delivery) {
    const mark = delivery.watermark === undefined ? [] : [watermark('delivered', contact, delivery.watermark)]
    return received([...receipts('delivered', delivery.mids ?? [], contact, at), ...mark])
  }
  // Who only opened the conversation has said nothing.
  return one.referral ? received([]) : unread('messaging')
}

const EMOJIS: Readonly<Record<string, string>> = {
  ...{ love: '❤', smile: '😆', angry: '😠', sad: '😢', wow: '😮', like: '👍', dislike: '👎' },
}

const act = (providerId: string, conversationKey: string, timestamp: number) => ({
  conversationKey,
  providerId,
  timestamp,
})

const receipts = (status: 'delivered' | 'read', mids: readonly string[], conversationKey: string, timestamp: number) =>
  mids.map(
    (providerId): ProviderEvent => ({
      ...{ type: 'receipt', dedupeKey: `${providerId}:${status}:${timestamp}`, conversationKey },
      ...{ providerId, status, timestamp },
    }),
  )

const watermark = (status: 'delivered' | 'read', conversationKey: string, timestamp: number): ProviderEvent => ({
  ...{ type: 'watermark', dedupeKey: `${conversationKey}:${status}:${timestamp}` },
  ...{ conversationKey, providerId: conversationKey, status, timestamp },
})

/** So many parts a message has at most: unsent, each of them is. */
const MOST_PARTS = 10

function messageOf(message: Message, contact: string, at: number, of: Of): Read {
  const { mid } = message
  if (message.is_deleted)
    return received(
      Array.from({ length: MOST_PARTS }, (_, n) => ({
        ...{ ...act(partName(mid, n), contact, at), type: 'revoke', dedupeKey: `${partName(mid, n)}:revoke` },
      })),
    )
  const story = message.reply_to?.story?.url
  const replied = story ? [storyPart(contact, `${mid}:story`, at, 'Story a que o contato respondeu', story)] : []
  const read = contentsOf(message, of)
  if (read.length === 0 && replied.length > 0) return received(replied)
  // Whatever somebody says is shown.
  const contents = read.length > 0 ? read : [notShown(of)]
  const ad = adOf(message.referral)
  const spoken = contents.map(
    ({ isStory, ...content }, n): ProviderEvent => ({
      ...{ type: 'message', dedupeKey: partName(mid, n), conversationKey: contact, sender: sender(contact) },
      message: {
        ...{ providerId: partName(mid, n), timestamp: at, ...content },
        ...(ad && n === 0 ? { ad } : {}),
        ...(message.reply_to?.mid ? { quotedProviderId: message.reply_to.mid } : {}),
      },
      ...(isStory ? { isStory } : {}),
    }),
  )
  return { events: [...replied, ...spoken], ...(read.length > 0 ? {} : { unread: 'message' }) }
}

const partName = (mid: string, n: number): string => (n === 0 ? mid : `${mid}:${n}`)

// Nobody tells the name: it is asked for afterwards.
const sender = (identity: string) => ({ identity, name: '', number: null })

// What this app sent comes back too: it is there already, or its answer was lost and this settles it.
function echoOf(message: Message, contact: string, at: number, of: Of): Read {
  const { mid, metadata = '', app_id: app } = message
  // Other apps of the company's have ids of their own there.
  const isApps = app === undefined || String(app) === of.appId
  if (isApps && isMessageId(metadata))
    return received([
      {
        ...{ type: 'receipt', dedupeKey: `${mid}:sent`, conversationKey: contact },
        ...{ providerId: mid, status: 'sent', timestamp: at, messageId: metadata },
      },
    ])
  return received(
    contentsOf(message, of).map(
      ({ isStory: _, ...content }, n): ProviderEvent => ({
        ...{ type: 'echo', dedupeKey: partName(mid, n), conversationKey: contact, sender: sender(contact) },
        message: { providerId: partName(mid, n), timestamp: at, ...content },
        ...(isApps ? { mayBeOurs: true } : {}),
      }),
    ),
  )
}

function pressedOf(
  { mid, title = '', payload = '', referral }: NonNullable<Happening['postback']>,
  contact: string,
  at: number,
): Read {
  const name = mid ?? `${contact}:postback:${at}`
  const ad = adOf(referral)
  return received([
    {
      ...{ type: 'message', dedupeKey: name, conversationKey: contact, sender: sender(contact) },
      message: {
        ...{ providerId: name, timestamp: at, type: 'interactive_reply', body: title || payload || 'Resposta' },
        ...{ data: { buttonId: payload }, ...(ad ? { ad } : {}) },
      },
    },
  ])
}

function adOf(referral: Referral | undefined): AdSource | null {
  if (!referral?.ad_id) return null
  const { ad_title: headline = '', photo_url = null } = referral.ads_context_data ?? {}
  return { sourceId: referral.ad_id, url: '', isPost: false, headline, text: '', picture: photo_url }
}

type Content = {
  readonly type: MessageType
  readonly body: string
  readonly data?: MessageData
  readonly remote?: { readonly name: string; readonly size: null; readonly pointer: JsonValue }
  readonly isStory?: true
}

/** What a message consists of: each attachment is one by itself, the text goes with the first file. */
function contentsOf({ text = '', attachments = [], quick_reply, is_unsupported }: Message, of: Of): readonly Content[] {
  if (quick_reply) return [{ type: 'interactive_reply', body: text, data: { buttonId: quick_reply.payload ?? '' } }]
  const parts = attachments.flatMap(partOf)
  if (parts.length === 0 && is_unsupported) return [notShown(of)]
  if (text === '') return parts
  const [first, ...others] = parts
  return first?.remote && !first.isStory
    ? [{ ...first, body: text }, ...others]
    : [{ type: 'text', body: text }, ...parts]
}

const notShown = ({ object }: Of): Content => ({
  type: 'text',
  body: `Mensagem de um tipo que o ${object === 'page' ? 'Messenger' : 'Instagram'} não mostra aqui.`,
})

/** What a link of Meta's leads to; it ends, and needs no token. */
export type LinkPointer = { readonly link: string }

function partOf({ type, payload = {}, ...about }: Attachment): Content[] {
  const url = payload.url ?? about.url
  const title = payload.title ?? about.title ?? ''
  if (type === 'story_mention') return url ? [storyContent('Mencionou a empresa em um story', url)] : []
  const kind = FILES[type]
  if (kind && url) return [{ type: kind, body: '', remote: remoteOf(kind, url) }]
  // A post, a reel, a place or a link that was shared.
  const body = [title, url].filter(Boolean).join('\n')
  return body ? [{ type: 'text', body }] : []
}

const FILES: Readonly<Record<string, keyof typeof NAMES>> = {
  ...{ image: 'image', video: 'video', audio: 'audio', file: 'document' },
}
const NAMES = { image: 'imagem', video: 'video', audio: 'audio', document: 'documento' } as const

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

const storyContent = (body: string, link: string): Content => ({
  ...{ type: 'image', body, remote: remoteOf('image', link), isStory: true },
})

function storyPart(contact: string, name: string, at: number, body: string, link: string): ProviderEvent {
  const { isStory, ...content } = storyContent(body, link)
  return {
    ...{ type: 'message', dedupeKey: name, conversationKey: contact, sender: sender(contact) },
    message: { providerId: name, timestamp: at, ...content },
    ...(isStory ? { isStory } : {}),
  }
}

function commentOf({ id, text = '', from, media }: Comment, account: string, time: number): Read {
  if (from!.id === account) return received([])
  return received([
    {
      ...{ type: 'message', dedupeKey: `comment:${id}`, conversationKey: from!.id },
      sender: { ...sender(from!.id), name: from!.username ?? '' },
      message: {
        ...{ providerId: id, timestamp: millisecondsIn(time), type: 'text', body: text },
        data: { comment: { postId: media?.id ?? '' } },
      },
    },
  ])
}

// Beside messages Meta counts in milliseconds, beside fields that change in seconds, and says neither.
const millisecondsIn = (time: number): number => (time < 100_000_000_000 ? time * 1000 : time)
