import type { AdSource } from '#domain/messages/data.ts'
import type { AccountEvent, ProviderEvent } from '../../port.ts'
import { type Given, idOf, lookUp, momentOr, type Read, readEach, received, unread } from '../../read.ts'
import { isMessageId } from '../message-id.ts'
import type { MetaEntry } from '../schemas.ts'
import { contentsOf, storyContent, unseen } from './contents.ts'
import {
  type Comment,
  comment,
  type Happening,
  happening,
  type Message,
  type Postback,
  type Referral,
} from './schemas.ts'

/**
 * Reads the entries of a webhook call about pages (`page`) or Instagram accounts (`instagram`): events, each of an account,
 * and names of unsupported parts. Conversations that another app of the company answers (`standby`) are left to that app.
 */
export function directEventsIn(
  object: 'page' | 'instagram',
  entries: readonly MetaEntry[],
  { appId, now }: { appId: string; now: number },
): { readonly events: readonly AccountEvent[]; readonly unread: readonly string[] } {
  const events: AccountEvent[] = []
  const names: string[] = []
  for (const { id: account = '', time = 0, messaging = [], standby = [], changes = [] } of entries) {
    const of = { object, account, appId, now }
    const isComment = ({ field = '' }) => object === 'instagram' && field === 'comments'
    const comments = changes.filter(isComment).map(({ value }) => value)
    for (const read of [
      readEach('messaging', happening, messaging, (one, given) => eventsOf(one, given, of)),
      readEach('comments', comment, comments, (one) => commentOf(one, of, time)),
    ]) {
      events.push(...read.events.map((event) => ({ account, event })))
      names.push(...read.unread)
    }
    names.push(
      ...standby.map(() => 'standby'),
      ...changes.filter((one) => !isComment(one)).map(({ field = '' }) => field),
    )
  }
  return { events, unread: names.map((name) => `${object}.${name}`) }
}

type Of = {
  readonly object: 'page' | 'instagram'
  readonly account: string
  readonly appId: string
  readonly now: number
}

function eventsOf(one: Happening, given: Given, of: Of): Read {
  const { message, postback, reaction, read, delivery, message_edit: edit } = one
  const isOurs = one.sender?.id === of.account
  const contact = isOurs ? one.recipient?.id : one.sender?.id
  if (contact === undefined) return unread('messaging')
  const at = momentOr(one.timestamp ?? 0, of.now)
  if (message) {
    const mid = message.mid ?? idOf(given.whole)
    return message.is_echo ? echoOf(message, mid, contact, at, of) : messageOf(message, mid, contact, at, of)
  }
  // The company's own actions elsewhere are reported by echoes.
  if (isOurs) return received([])
  if (postback) return pressedOf(postback, contact, at)
  if (edit) {
    const { mid, text, num_edit: n = 1 } = edit
    if (mid === undefined || text === undefined) return unread('message_edit')
    return received([{ ...act(mid, contact, at), type: 'edit', dedupeKey: `${mid}:edit:${n}:${at}`, body: text }])
  }
  if (reaction) {
    const { mid, action, emoji, reaction: name } = reaction
    if (mid === undefined) return unread('reaction')
    const shown = action === 'react' ? (emoji ?? lookUp(EMOJIS, name ?? '') ?? '❤') : null
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
  // Opening the conversation alone is no message.
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

const serviceOf = ({ object }: Of): string => (object === 'page' ? 'Messenger' : 'Instagram')

/** Maximum number of parts of a message; when it is unsent, each part is revoked. */
const MOST_PARTS = 10

function messageOf(message: Message, mid: string, contact: string, at: number, of: Of): Read {
  if (message.is_deleted)
    return received(
      Array.from({ length: MOST_PARTS }, (_, n) => ({
        ...{ ...act(partName(mid, n), contact, at), type: 'revoke', dedupeKey: `${partName(mid, n)}:revoke` },
      })),
    )
  const story = message.reply_to?.story?.url
  const replied = story ? [storyPart(contact, `${mid}:story`, at, 'Story a que o contato respondeu', story)] : []
  const read = contentsOf(message, serviceOf(of))
  if (read.length === 0 && replied.length > 0) return received(replied)
  // Messages of people are always shown, at least as a placeholder.
  const contents = read.length > 0 ? read : [unseen(serviceOf(of), message)]
  const ad = adOf(message.referral)
  const spoken = contents.map(
    ({ isStory, isEmpty: _, ...content }, n): ProviderEvent => ({
      ...{ type: 'message', dedupeKey: partName(mid, n), conversationKey: contact, sender: sender(contact) },
      message: {
        ...{ providerId: partName(mid, n), timestamp: at, ...content },
        ...(ad && n === 0 ? { ad } : {}),
        ...(message.reply_to?.mid ? { quotedProviderId: message.reply_to.mid } : {}),
      },
      ...(isStory ? { isStory } : {}),
    }),
  )
  return { events: [...replied, ...spoken], ...(contents.some(({ isEmpty }) => isEmpty) ? { unread: 'message' } : {}) }
}

const partName = (mid: string, n: number): string => (n === 0 ? mid : `${mid}:${n}`)

// Events contain no name; it is queried later.
const sender = (identity: string) => ({ identity, name: '', number: null })

// Messages sent by this app are echoed too: already recorded, or settled by this if the response was lost.
function echoOf(message: Message, mid: string, contact: string, at: number, of: Of): Read {
  const { metadata = '', app_id: app } = message
  // Other apps of the company have their own ids.
  const isApps = app === undefined || app === of.appId
  if (isApps && isMessageId(metadata))
    return received([
      {
        ...{ type: 'receipt', dedupeKey: `${mid}:sent`, conversationKey: contact },
        ...{ providerId: mid, status: 'sent', timestamp: at, messageId: metadata },
      },
    ])
  const contents = contentsOf(message, serviceOf(of)).filter(({ isEmpty }) => !isEmpty)
  return received(
    contents.map(
      ({ isStory: _, ...content }, n): ProviderEvent => ({
        ...{ type: 'echo', dedupeKey: partName(mid, n), conversationKey: contact, sender: sender(contact) },
        message: { providerId: partName(mid, n), timestamp: at, ...content },
        ...(isApps ? { mayBeOurs: true } : {}),
      }),
    ),
  )
}

function pressedOf({ mid, title = '', payload = '', referral }: Postback, contact: string, at: number): Read {
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

function storyPart(contact: string, name: string, at: number, body: string, link: string): ProviderEvent {
  const { isStory, ...content } = storyContent(body, link)
  return {
    ...{ type: 'message', dedupeKey: name, conversationKey: contact, sender: sender(contact) },
    message: { providerId: name, timestamp: at, ...content },
    ...(isStory ? { isStory } : {}),
  }
}

function commentOf({ id, text = '', from, media }: Comment, { account, now }: Of, time: number): Read {
  if (id === undefined || from?.id === undefined) return unread('comments')
  if (from.id === account) return received([])
  return received([
    {
      ...{ type: 'message', dedupeKey: `comment:${id}`, conversationKey: from.id },
      sender: { ...sender(from.id), name: from.username ?? '' },
      message: {
        ...{ providerId: id, timestamp: momentOr(millisecondsIn(time), now), type: 'text', body: text },
        data: { comment: { postId: media?.id ?? '' } },
      },
    },
  ])
}

// Meta's times are milliseconds for messages and seconds for changed fields, without a unit.
const millisecondsIn = (time: number): number => (time < 100_000_000_000 ? time * 1000 : time)
