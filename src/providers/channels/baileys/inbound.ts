import type { BinaryNode, proto, WAMessage, WAMessageKey } from 'baileys'
import { ownMember } from '#domain/keys.ts'
import type { MessageData } from '#domain/messages/data.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { present } from '#domain/present.ts'
import type { Outbound, ProviderEvent } from '../port.ts'
import { addressesOf, conversationOf, digitsOf, isList, numbered } from '../whatsapp-addresses.ts'
import {
  adSourceOf,
  captionOf,
  contextOf,
  isOnce,
  isUnreadable,
  unseenOf,
  unwrapped,
  VIEW_ONCE,
} from '../whatsapp-content.ts'
import { type Readable, readableOf } from '../whatsapp-readable.ts'
import { type Context, readContent } from '../whatsapp-shapes.ts'
import type { Library } from './library.ts'
import { fileOf } from './media-in.ts'
import { votedFor } from './polls.ts'

type Spoken = {
  readonly body: string
  readonly data?: MessageData
  readonly type: Readable['type'] | FileKind
  /** Whether its kind is not supported yet; the raw message is stored then. */
  readonly isUnseen?: boolean
} & Partial<Pick<NonNullable<ReturnType<typeof fileOf>>, 'remote'>>

/** Body of a message until it can be decrypted. */
const UNDECRYPTED = 'Aguardando esta mensagem'

function spokenOf(message: proto.IMessage | null | undefined, key: WAMessageKey): Spoken | null {
  const content = unwrapped(message ?? {})
  const readable = readableOf(readContent(content).content)
  if (readable) return readable
  if (isOnce(message)) return { type: 'text', body: VIEW_ONCE }
  const file = fileOf(content, key)
  if (file) return file
  return isUnreadable(content) ? { ...unseenOf(content), isUnseen: true } : null
}

/** Maximum size of a raw message that is stored, in bytes. */
const MOST_RAW_BYTES = 256 * 1024

function rawOf({ Message }: Library['proto'], message: proto.IMessage): { raw?: string } {
  const bytes = Message.encode(message).finish()
  return bytes.length > MOST_RAW_BYTES ? {} : { raw: Buffer.from(bytes).toString('base64') }
}

/** Returns the album id of a picture, given by the sender. */
const albumOf = (message: proto.IMessage): string | null | undefined =>
  (message.messageContextInfo ?? message.associatedChildMessage?.message?.messageContextInfo)?.messageAssociation
    ?.parentMessageKey?.id

/** Returns the context of a message: quote, mentions, expiration, ad. */
const aboutOf = (content: proto.IMessage): Context | null => contextOf(readContent(content).content)

/** Returns the group members that a message mentions. */
function mentionedIn(context: Context | null, address: object): { mentions?: string[] } {
  const mentioned = 'isGroup' in address ? (context?.mentionedJid ?? []) : []
  return mentioned.length > 0 ? { mentions: mentioned.map(conversationOf) } : {}
}

/** Data of a device: its owner, numbers of LIDs, and subjects of groups. */
export type Own = {
  readonly id: string
  readonly lid: string
  numberOf(lid: string): Promise<string | null>
  subjectOf(group: string): string | undefined
  /** Returns the message sent from here under an id; null if there was none. */
  sent(id: string): Promise<Outbound | null>
  /** Returns the number of other members of a group; null if unknown. */
  othersIn(group: string): Promise<number | null>
}

/** Decodes the message of a stanza, without its content. */
function envelopeOf({ cleanMessage, decodeMessageNode }: Library, stanza: BinaryNode, own: Own): WAMessage {
  const { fullMessage } = decodeMessageNode(stanza, own.id, own.lid)
  cleanMessage(fullMessage, own.id, own.lid)
  return fullMessage
}

/** Returns the key of a stanza's message, used for its read receipt. */
export const keyOf = (library: Library, stanza: BinaryNode, own: Own): WAMessage['key'] =>
  envelopeOf(library, stanza, own).key

/**
 * Returns conversation and author of a message: the contact, a group member, or (`fromMe`) the company on its phone. Null
 * for status posts, channels and messages of the device to itself.
 */
async function addressOf({ key, pushName }: WAMessage, own: Own) {
  // A message to a broadcast list belongs to the conversation with its author.
  const chat = (isList(key.remoteJid ?? '') ? key.participant : key.remoteJid) ?? ''
  const name = key.fromMe ? '' : (pushName ?? '')
  if (chat.endsWith('@g.us')) {
    const author = key.participant ?? ''
    const number = numbered(author, key.participantAlt ?? (await own.numberOf(author)))
    const sender = { identity: conversationOf(author), name, number: digitsOf(number) }
    const groupName = own.subjectOf(chat)
    return { conversationKey: chat, isGroup: true, ...(groupName ? { groupName } : {}), sender }
  }
  if (!/@(s\.whatsapp\.net|lid)$/.test(chat)) return null
  const address = numbered(chat, key.remoteJidAlt ?? (await own.numberOf(chat)))
  const conversationKey = conversationOf(address)
  const lid = [chat, key.remoteJidAlt].find((one) => one?.endsWith('@lid') && one !== address)
  const sender = { identity: conversationKey, name, number: digitsOf(address) }
  return { conversationKey, sender: lid ? { ...sender, alias: conversationOf(lid) } : sender }
}

/**
 * Converts a decrypted message into events: a message, by the contact or sent on the phone itself, or an act on an earlier
 * message. None for messages of the device itself, status posts and channels.
 */
export async function eventsOf(
  library: Library,
  stanza: BinaryNode,
  plain: Uint8Array,
  own: Own,
): Promise<ProviderEvent[]> {
  if (stanza.attrs['category'] === 'peer') return []
  const decoded = library.proto.Message.decode(library.unpadRandomMax16(plain))
  const message = envelopeOf(library, stanza, own)
  message.message = decoded.deviceSentMessage?.message ?? decoded
  return eventsOfMessage(library, message, own)
}

/** Returns a placeholder for a message that could not be decrypted yet; none for acts on other messages. */
export async function placeholderOf(library: Library, stanza: BinaryNode, own: Own): Promise<ProviderEvent[]> {
  const { category, edit, type } = stanza.attrs
  const parts = (Array.isArray(stanza.content) ? stanza.content : []).filter(({ tag }) => tag === 'enc')
  const isHidden = parts.some(({ attrs }) => attrs['decrypt-fail'] === 'hide')
  if (category === 'peer' || edit || type === 'reaction' || isHidden) return []
  const envelope = envelopeOf(library, stanza, own)
  const address = await addressOf(envelope, own)
  if (!address) return []
  const { key, messageTimestamp } = envelope
  const timestamp = Number(messageTimestamp) * 1000
  const message = { providerId: key.id!, timestamp, type: 'undecrypted', body: UNDECRYPTED } as const
  return [{ type: key.fromMe ? 'echo' : 'message', dedupeKey: `${key.id} undecrypted`, ...address, message }]
}

/** Returns a placeholder for a view-once message, whose content linked devices do not get. */
export async function viewOnceOf(library: Library, stanza: BinaryNode, own: Own): Promise<ProviderEvent[]> {
  const parts = Array.isArray(stanza.content) ? stanza.content : []
  if (!parts.some(({ tag, attrs }) => tag === 'unavailable' && attrs['type'] === 'view_once')) return []
  const envelope = envelopeOf(library, stanza, own)
  const address = await addressOf(envelope, own)
  if (!address) return []
  const { key, messageTimestamp } = envelope
  const message = {
    providerId: key.id!,
    timestamp: Number(messageTimestamp) * 1000,
    type: 'text',
    body: VIEW_ONCE,
  } as const
  return [{ type: key.fromMe ? 'echo' : 'message', dedupeKey: key.id!, ...address, message }]
}

/** Returns the event that maps a LID to a number, without a name; null if the pair has another form. */
export function mappingOf({ lid, pn }: { lid: string; pn: string }): ProviderEvent | null {
  const number = digitsOf(pn)
  const alias = conversationOf(lid)
  if (!number || !alias.endsWith('@lid')) return null
  const sender = { identity: number, alias, number }
  return { type: 'addresses', dedupeKey: `${alias} ${number}`, conversationKey: number, sender }
}

/** Returns the expiration of a conversation's messages as stated by a message, in seconds; null if it states none. */
export async function timerIn(
  library: Library,
  stanza: BinaryNode,
  plain: Uint8Array,
  own: Own,
): Promise<{ conversationKey: string; seconds: number } | null> {
  const decoded = library.proto.Message.decode(library.unpadRandomMax16(plain))
  const content = unwrapped<proto.IMessage>(decoded)
  if (content.reactionMessage) return null
  const { protocolMessage: setting } = content
  const isSetting = setting?.type === library.proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING
  if (setting && !isSetting) return null
  const address = await addressOf(envelopeOf(library, stanza, own), own)
  const seconds = isSetting ? setting.ephemeralExpiration : aboutOf(content)?.expiration
  return address && { conversationKey: address.conversationKey, seconds: Number(seconds ?? 0) }
}

/** Converts a vote in a poll of ours into text, with the poll's id; null for other messages. */
async function voteIn(library: Library, { pollUpdateMessage: vote }: proto.IMessage, key: WAMessageKey, own: Own) {
  const id = vote?.pollCreationMessageKey?.id
  const poll = id && !key.fromMe ? await own.sent(id) : null
  if (!vote || !poll) return null
  const plain = (jids: readonly (string | null | undefined)[]) =>
    jids.flatMap((jid) => (jid ? library.jidNormalizedUser(jid) : []))
  const voters = plain([key.participant, key.participantAlt, key.remoteJid, key.remoteJidAlt])
  const chosen = votedFor(library, poll, vote, { creators: plain([own.id, own.lid]), voters })
  if (!chosen) return null
  const body = chosen.length > 0 ? `Votou: ${chosen.join(', ')}` : 'Retirou o voto.'
  return { type: 'text', body, quotes: id } as const
}

type Addressed = {
  readonly key: WAMessageKey
  readonly address: NonNullable<Awaited<ReturnType<typeof addressOf>>>
  readonly timestamp: number
}

/** Converts a reaction, an edit or a revocation into an event; none for an edit without a text. */
function actsIn(
  { proto }: Library,
  { reactionMessage, protocolMessage }: proto.IMessage,
  { key, address, timestamp }: Addressed,
): ProviderEvent[] {
  const { conversationKey, sender } = address
  // The server's time has whole seconds; the sender's own clock decides which of two acts came last.
  const about = (target: WAMessageKey | null | undefined, sentAt: unknown) => ({
    dedupeKey: key.id!,
    conversationKey,
    providerId: present(target).id!,
    ...(key.fromMe ? { fromMe: true as const } : { author: addressesOf(sender) }),
    timestamp: Math.max(timestamp, Math.min(Number(sentAt) || 0, timestamp + 999)),
  })
  if (reactionMessage)
    return [
      {
        ...about(reactionMessage.key, reactionMessage.senderTimestampMs),
        type: 'reaction',
        emoji: reactionMessage.text || null,
      },
    ]
  if (!protocolMessage) return []
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  if (protocolMessage.type === REVOKE)
    return [{ ...about(protocolMessage.key, protocolMessage.timestampMs), type: 'revoke' }]
  const edited = unwrapped<proto.IMessage>(
    protocolMessage.type === MESSAGE_EDIT ? (protocolMessage.editedMessage ?? {}) : {},
  )
  const body = captionOf(edited) ?? spokenOf(edited, key)?.body
  if (body === undefined) return []
  const mentions = mentionedIn(aboutOf(edited), address)
  return [{ ...about(protocolMessage.key, protocolMessage.timestampMs), type: 'edit', body, ...mentions }]
}

/** Converts a decrypted whole message into events. */
export async function eventsOfMessage(library: Library, fullMessage: WAMessage, own: Own): Promise<ProviderEvent[]> {
  const { cleanMessage, proto } = library
  const content = unwrapped<proto.IMessage>(fullMessage.message ?? {})
  const { reactionMessage, protocolMessage, pollUpdateMessage } = content
  const target = (reactionMessage ?? protocolMessage)?.key ?? pollUpdateMessage?.pollCreationMessageKey
  // The target message is unknown; the library would fail without it.
  if ((reactionMessage ?? protocolMessage ?? pollUpdateMessage) && !target?.id) return []
  cleanMessage(fullMessage, own.id, own.lid)
  const { key } = fullMessage
  const address = await addressOf(fullMessage, own)
  if (!address) return []
  const timestamp = Number(fullMessage.messageTimestamp) * 1000
  if (reactionMessage ?? protocolMessage) return actsIn(library, content, { key, address, timestamp })
  const vote = await voteIn(library, content, key, own)
  const spoken: Spoken | null = vote ?? spokenOf(fullMessage.message, key)
  if (!spoken) return []
  const context = aboutOf(content)
  const { type, body, data, remote, isUnseen } = spoken
  const quotes = vote?.quotes ?? context?.stanzaId
  const album = albumOf(fullMessage.message!)
  const ad = key.fromMe || 'isGroup' in address ? null : adSourceOf(context?.externalAdReply, context)
  return [
    {
      type: key.fromMe ? 'echo' : 'message',
      dedupeKey: key.id!,
      ...address,
      ...(isUnseen ? rawOf(proto, fullMessage.message!) : {}),
      message: {
        ...{ providerId: key.id!, timestamp, type, body },
        ...(data ? { data } : {}),
        ...(remote ? { remote } : {}),
        ...mentionedIn(context, address),
        ...(quotes ? { quotedProviderId: quotes } : {}),
        ...(context?.isForwarded ? { isForwarded: true } : {}),
        ...(remote && album ? { album } : {}),
        ...(ad ? { ad } : {}),
      },
    },
  ]
}

const STATUS = { delivered: 'delivered', read: 'read', 'read-self': null, played: 'played' } as const

/** Converts a receipt into status events. */
export async function receiptsOf({ attrs, content }: BinaryNode, own: Own): Promise<ProviderEvent[]> {
  const status = ownMember(STATUS, attrs['type'] ?? 'delivered')
  const from = attrs['from'] ?? ''
  const plain = conversationOf(from)
  if (!status || !/@(s\.whatsapp\.net|lid|g\.us)$/.test(from) || attrs['recipient']) return []
  const number = from.endsWith('@lid') ? await own.numberOf(plain) : null
  const conversationKey = number ? conversationOf(number) : plain
  const identity = from.endsWith('@g.us') ? conversationOf(attrs['participant'] ?? '') : null
  const of = identity === null ? null : await own.othersIn(from)
  if (identity !== null && (of === null || identity === '')) return []
  const member = identity === null || of === null ? {} : { member: { identity, of } }
  const list = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const items = Array.isArray(list) ? list.map((item) => item.attrs['id'] ?? '') : []
  return [attrs['id'] ?? '', ...items].map((id) => ({
    type: 'receipt',
    dedupeKey: [id, status, ...(identity === null ? [] : [identity])].join(' '),
    conversationKey,
    providerId: id,
    status,
    timestamp: Number(attrs['t'] ?? 0) * 1000,
    ...member,
  }))
}
