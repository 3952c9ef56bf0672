import { keysIn } from '#domain/keys.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { present } from '#domain/present.ts'
import type { EchoMessage, GroupMember, JsonValue, MessageAct, ProviderEvent } from './port.ts'
import { idOf, withoutIndexes } from './read.ts'
import { addressesOf, addressIn, conversationOf, digitsOf, isList, isNobodys, numbered } from './whatsapp-addresses.ts'
import {
  adSourceOf,
  captionOf,
  contextOf,
  isOnce,
  isUnreadable,
  unseenOf,
  unwrapped,
  VIEW_ONCE,
} from './whatsapp-content.ts'
import { type Readable, readableOf } from './whatsapp-readable.ts'
import { type Content, type Context, type FileField, type FilePart, readContent } from './whatsapp-shapes.ts'

export type { FileField } from './whatsapp-shapes.ts'

type Address = string | null | undefined

/** Message in the JSON of a WhatsApp Web gateway, with content as phones write it. */
export type WebMessage = {
  /** Message id; undefined if unusable: the message is identified by its content then. */
  readonly id: string | undefined
  /** JIDs of the conversation and, in a group, of the author; `…Alt` are further ones of the same. */
  readonly chat: Address
  readonly chatAlt?: readonly Address[]
  readonly author?: Address
  readonly authorAlt?: readonly Address[]
  readonly fromMe: boolean
  /** Name of the author on WhatsApp, and name of the group, if sent with its messages. */
  readonly name: string
  readonly groupName?: string | undefined
  /** Epoch ms. */
  readonly timestamp: number
  /** Content written by the phone, in any form. */
  readonly content: unknown
  /** Context that the gateway puts beside the content. */
  readonly context?: Context | null | undefined
}

/** Result of reading a message: events, and names of parts that could not be read. */
export type MessageRead = { readonly events: readonly ProviderEvent[]; readonly unread: readonly string[] }

const FILES: Readonly<Record<FileField, readonly [FileKind, string]>> = {
  imageMessage: ['image', 'imagem'],
  videoMessage: ['video', 'video'],
  ptvMessage: ['video', 'video'],
  audioMessage: ['audio', 'audio'],
  documentMessage: ['document', 'documento'],
  stickerMessage: ['sticker', 'figurinha'],
}

/** Returns the names of wrong values without list indexes, for counting. */
export const fieldsOf = (wrong: readonly string[], of: string): string[] =>
  wrong.map((path) => `${of} ${withoutIndexes(path)}`)

const DAY_MS = 86_400_000

/** Converts seconds or milliseconds into epoch ms; the time of reading if they are impossible. */
export function sentAt(given: number | undefined, now: Date): number {
  const at = Math.floor((given ?? 0) < 1e11 ? (given ?? 0) * 1000 : given!)
  return at > 0 && at <= now.getTime() + DAY_MS ? at : now.getTime()
}

/** Returns the file part of a message, with its field; null if there is none. */
export function fileIn(content: Content): { field: FileField; part: FilePart } | null {
  for (const field of keysIn(FILES)) {
    const part = content[field]
    if (part) return { field, part }
  }
  return null
}

function fileOf(content: Content, pointer: (field: FileField, part: FilePart) => JsonValue) {
  const found = fileIn(content)
  if (!found) return null
  const { field, part } = found
  const [type, name] = FILES[field]
  const ending = /^\w+\/([\w-]+)/.exec(part.mimetype ?? '')?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  const { seconds, width, height } = part
  const remote = {
    name: part.fileName || part.title || `${name}.${ending}`,
    size: part.fileLength || null,
    ...(seconds ? { durationMs: seconds * 1000 } : {}),
    ...(width && height ? { width, height } : {}),
    pointer: pointer(field, part),
  }
  return { type, body: part.caption ?? '', remote }
}

type Spoken = (Readable | NonNullable<ReturnType<typeof fileOf>>) & {
  readonly remote?: unknown
  readonly data?: unknown
}

function spokenOf(
  given: unknown,
  content: Content,
  pointer: (field: FileField, part: FilePart) => JsonValue,
): Spoken | null {
  const readable = readableOf(content)
  if (readable) return readable
  if (isOnce(given)) return { type: 'text', body: VIEW_ONCE }
  const inner = unwrapped<object>(given as object)
  return fileOf(content, pointer) ?? (isUnreadable(inner) ? unseenOf(inner) : null)
}

/**
 * Returns conversation and author of a message; null if it is no conversation (status posts, channels). A message to a
 * broadcast list belongs to the conversation with its author; one by the company to none, as its recipients are unknown.
 */
export function addressOf(source: Omit<WebMessage, 'content'>) {
  const { author, authorAlt = [], fromMe, name: given, groupName } = source
  const isOfList = isList(source.chat ?? '')
  if (isOfList && fromMe) return null
  const [chat, ...chatAlt] = isOfList
    ? [author, ...authorAlt, ...(source.chatAlt ?? [])]
    : [source.chat, ...(source.chatAlt ?? [])]
  const alts = (all: readonly Address[]) => all.flatMap((one) => addressIn(one ?? undefined) ?? [])
  const name = fromMe ? '' : given
  const where = addressIn(chat ?? undefined)
  if (where?.endsWith('@g.us')) {
    const [first, ...others] = alts([author, ...authorAlt])
    const by = first ? [first, ...others].reduce(numbered) : null
    // An unknown author gets the identity of the group.
    const sender = { identity: first ? conversationOf(first) : where, name, number: by && digitsOf(by) }
    return { conversationKey: where, isGroup: true, ...(groupName ? { groupName } : {}), sender }
  }
  const all = [...(where ? [where] : []), ...alts(chatAlt)].filter((one) => /@(s\.whatsapp\.net|lid)$/.test(one))
  // If the first address cannot be read, the others are of the same person.
  const [first] = all
  if (!first || (where && where !== first) || isNobodys(chat ?? undefined)) return null
  const address = all.reduce(numbered)
  const identity = conversationOf(address)
  const lid = all.find((one) => one.endsWith('@lid') && one !== address)
  const alias = lid ? { alias: conversationOf(lid) } : {}
  return { conversationKey: identity, sender: { identity, name, number: digitsOf(address), ...alias } }
}

const isKind = (type: string | undefined, number: string, name: string): boolean => type === number || type === name

/** Returns the author of an act: the company on its own phone, or the person with these addresses. */
export const actorOf = (fromMe: boolean, sender: EchoMessage['sender']): Pick<MessageAct, 'fromMe' | 'author'> =>
  fromMe ? { fromMe: true } : { author: addressesOf(sender) }

/** Converts a message into events: a message, or an act on an earlier message; never throws, whatever the content. */
export function eventsOfMessage(
  source: WebMessage,
  pointer: (field: FileField, part: FilePart) => JsonValue,
  messageId?: string,
): MessageRead {
  const address = addressOf(source)
  if (!address) {
    const isNoConversation = isNobodys(source.chat ?? undefined) || (isList(source.chat ?? '') && source.fromMe)
    return { events: [], unread: isNoConversation ? [] : ['message without a conversation'] }
  }
  const { content, wrong } = readContent(unwrapped(source.content))
  const events = contentOrAct(source, address, content, { pointer, messageId })
  return { events, unread: fieldsOf(wrong, 'message') }
}

type Addressed = NonNullable<ReturnType<typeof addressOf>>

function contentOrAct(
  source: WebMessage,
  address: Addressed,
  content: Content,
  { pointer, messageId }: { pointer: (field: FileField, part: FilePart) => JsonValue; messageId: string | undefined },
): ProviderEvent[] {
  const { timestamp, fromMe } = source
  const id = source.id ?? idOf([source.chat, timestamp, source.content])
  // If times have whole seconds, the sender's own clock decides which of two acts came last.
  const about = (target: string, sentAt = 0): Omit<MessageAct, 'type'> => ({
    ...{ dedupeKey: id, conversationKey: address.conversationKey, providerId: target },
    ...actorOf(fromMe, address.sender),
    timestamp: Math.max(timestamp, Math.min(sentAt, timestamp + 999)),
  })
  const mentionsIn = (context: Context | null | undefined) => {
    const mentions = 'isGroup' in address ? (context?.mentionedJid ?? []).flatMap((one) => addressIn(one) ?? []) : []
    return mentions.length > 0 ? { mentions: mentions.map(conversationOf) } : {}
  }
  const { protocolMessage: act, reactionMessage: reaction } = content
  // Acts on unnamed messages are dropped.
  const target = (reaction ?? act)?.key?.id
  if (reaction || act) {
    if (!target) return []
    if (reaction)
      return [{ ...about(target, reaction.senderTimestampMs), type: 'reaction', emoji: reaction.text || null }]
    if (isKind(present(act).type ?? '0', '0', 'REVOKE'))
      return [{ ...about(target, present(act).timestampMs), type: 'revoke' }]
    if (!isKind(present(act).type, '14', 'MESSAGE_EDIT')) return []
    const { content: edited } = readContent(unwrapped(present(act).editedMessage))
    const body = captionOf(edited) ?? readableOf(edited)?.body
    if (body === undefined) return []
    return [{ ...about(target, present(act).timestampMs), type: 'edit', body, ...mentionsIn(contextOf(edited)) }]
  }
  const spoken = spokenOf(source.content, content, pointer)
  if (!spoken) return []
  const context = contextOf(content) ?? source.context
  const album = content.messageContextInfo?.messageAssociation?.parentMessageKey?.id
  const ad = fromMe || 'isGroup' in address ? null : adOf(context, source.context)
  const message = {
    ...{ providerId: id, timestamp, ...spoken },
    ...mentionsIn(context),
    ...(context?.stanzaId ? { quotedProviderId: context.stanzaId } : {}),
    ...(context?.isForwarded ? { isForwarded: true } : {}),
    ...(album && spoken.remote ? { album } : {}),
    ...(ad ? { ad } : {}),
  } as EchoMessage['message']
  return [
    fromMe
      ? { type: 'echo', dedupeKey: id, ...address, mayBeOurs: true, ...(messageId ? { messageId } : {}), message }
      : { type: 'message', dedupeKey: id, ...address, message },
  ]
}

/** Returns the ad in one of a message's contexts, as gateways put it in different places. */
const adOf = (...contexts: readonly (Context | null | undefined)[]) =>
  contexts.flatMap((context) => adSourceOf(context?.externalAdReply, context) ?? []).at(0) ?? null

/** Returns a group member with all known addresses. */
export function memberOf(
  { id, alt, admin }: { id: string; alt?: string | null | undefined; admin?: unknown },
  names: ReadonlyMap<string, string> = new Map(),
): GroupMember {
  const identity = conversationOf(id)
  const number = digitsOf(numbered(id, alt))
  return { identity, name: names.get(identity) || (number && names.get(number)) || '', number, isAdmin: Boolean(admin) }
}
