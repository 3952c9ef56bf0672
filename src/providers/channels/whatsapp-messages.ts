import type { proto } from 'baileys'
import type { FileKind } from '#domain/messages/file-limits.ts'
import type { EchoMessage, GroupMember, JsonValue, MessageAct, ProviderEvent } from './port.ts'
import { addressesOf, conversationOf, digitsOf, isList, numbered } from './whatsapp-addresses.ts'
import { captionOf, contextOf, isOnce, isUnreadable, UNSEEN, VIEW_ONCE } from './whatsapp-content.ts'
import { type Readable, readableOf } from './whatsapp-readable.ts'

/** A message as gateways to WhatsApp Web tell of it, whose content is what phones write, in JSON. */
export type WebMessage = {
  readonly id: string
  /** The addresses of the conversation and, in a group, of who wrote; `…Alt` are others of the same. */
  readonly chat: string
  readonly chatAlt?: string | null | undefined
  readonly author?: string | null | undefined
  readonly authorAlt?: string | null | undefined
  readonly fromMe: boolean
  /** How who wrote calls themselves, and how the group is called where that is told with its messages. */
  readonly name: string
  readonly groupName?: string | undefined
  /** Epoch ms. */
  readonly timestamp: number
  readonly content: proto.IMessage
  /** Where it stands beside the content. */
  readonly context?: proto.IContextInfo | null | undefined
}

const FILES = {
  imageMessage: ['image', 'imagem'],
  videoMessage: ['video', 'video'],
  ptvMessage: ['video', 'video'],
  audioMessage: ['audio', 'audio'],
  documentMessage: ['document', 'documento'],
  stickerMessage: ['sticker', 'figurinha'],
} as const satisfies Record<string, readonly [FileKind, string]>

/** The parts of a message that are files. */
export type FileField = keyof typeof FILES

/** What lies within the envelopes that WhatsApp puts around some messages. */
export function unwrapped(content: proto.IMessage | null | undefined): proto.IMessage {
  const { ephemeralMessage, documentWithCaptionMessage, deviceSentMessage, viewOnceMessage, ...parts } = content ?? {}
  const inner = ephemeralMessage ?? documentWithCaptionMessage ?? viewOnceMessage
  if (inner?.message) return unwrapped(inner.message)
  return deviceSentMessage?.message ? unwrapped(deviceSentMessage.message) : parts
}

/** The part of a message that is a file, with its field; null where it has none. */
export function fileIn(content: proto.IMessage): { field: FileField; part: proto.Message.IVideoMessage } | null {
  const field = (Object.keys(FILES) as FileField[]).find((one) => content[one])
  return field ? { field, part: content[field] as proto.Message.IVideoMessage } : null
}

// Large numbers are texts there, or halves.
function sizeOf(length: unknown): number | null {
  const { low } = (length ?? {}) as { low?: number }
  return Number(low ?? length ?? 0) || null
}

function fileOf(content: proto.IMessage, pointer: (field: FileField) => JsonValue) {
  const found = fileIn(content)
  if (!found) return null
  const { field } = found
  const part = found.part as proto.Message.IVideoMessage & proto.Message.IDocumentMessage
  const [type, name] = FILES[field]
  const ending = /^\w+\/([\w-]+)/.exec(part.mimetype ?? '')?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  const { seconds, width, height } = part
  const remote = {
    name: part.fileName || part.title || `${name}.${ending}`,
    size: sizeOf(part.fileLength),
    ...(seconds ? { durationMs: Number(seconds) * 1000 } : {}),
    ...(width && height ? { width, height } : {}),
    pointer: pointer(field),
  }
  return { type, body: part.caption ?? '', remote }
}

type Spoken = (Readable | NonNullable<ReturnType<typeof fileOf>>) & {
  readonly remote?: unknown
  readonly data?: unknown
}

function spokenOf(
  source: WebMessage,
  content: proto.IMessage,
  pointer: (field: FileField) => JsonValue,
): Spoken | null {
  if (isOnce(source.content)) return { type: 'text', body: VIEW_ONCE }
  const spoken = readableOf(content) ?? fileOf(content, pointer)
  if (spoken || !isUnreadable(content)) return spoken
  const caption = captionOf(content)
  return { type: 'text', body: caption ? `${caption}\n${UNSEEN}` : UNSEEN }
}

/**
 * Where a message stands, and who wrote it; null where it is no conversation: status posts, channels. What was sent to a list
 * of people stands with who sent it, and nowhere if that was the company: nobody says whom it reached.
 */
export function addressOf(source: Omit<WebMessage, 'content'>) {
  const { author, authorAlt, fromMe, name: given, groupName } = source
  const { chat, chatAlt } = isList(source.chat)
    ? { chat: fromMe ? '' : (author ?? ''), chatAlt: authorAlt ?? source.chatAlt }
    : source
  const name = fromMe ? '' : given
  if (chat.endsWith('@g.us')) {
    const identity = conversationOf(author ?? '')
    const number = digitsOf(numbered(author ?? '', authorAlt))
    const called = groupName ? { groupName } : {}
    return { conversationKey: chat, isGroup: true, ...called, sender: { identity, name, number } }
  }
  if (!/@(s\.whatsapp\.net|lid)$/.test(chat)) return null
  const address = numbered(chat, chatAlt)
  const identity = conversationOf(address)
  const lid = [chat, chatAlt].find((one) => one?.endsWith('@lid') && one !== address)
  const alias = lid ? { alias: conversationOf(lid) } : {}
  return { conversationKey: identity, sender: { identity, name, number: digitsOf(address), ...alias } }
}

const isKind = (type: unknown, number: number, name: string): boolean => type === number || type === name

/** Who did something to a message: the company on its own phone, or whoever is at these addresses. */
export const actorOf = (fromMe: boolean, sender: EchoMessage['sender']): Pick<MessageAct, 'fromMe' | 'author'> =>
  fromMe ? { fromMe: true } : { author: addressesOf(sender) }

/**
 * What a message is to the product: something said, or done to something said before. `pointer` is by what its file is fetched;
 * `messageId` is our id of one of ours, where the gateway gives it back.
 */
export function eventsOfMessage(
  source: WebMessage,
  pointer: (field: FileField) => JsonValue,
  messageId?: string,
): ProviderEvent[] {
  const address = addressOf(source)
  const content = unwrapped(source.content)
  if (!address) return []
  const { id, timestamp, fromMe } = source
  // Where times have whole seconds, which of two acts within one came last the sender's own clock tells.
  const about = (target: { id?: string | null } | null | undefined, sentAt: unknown): Omit<MessageAct, 'type'> => ({
    ...{ dedupeKey: id, conversationKey: address.conversationKey, providerId: target?.id ?? '' },
    ...actorOf(fromMe, address.sender),
    timestamp: Math.max(timestamp, Math.min(Number(sentAt) || 0, timestamp + 999)),
  })
  const mentionsIn = (part: proto.IMessage, context = contextOf(part)) => {
    const mentions = 'isGroup' in address ? (context?.mentionedJid ?? []).map(conversationOf) : []
    return mentions.length > 0 ? { mentions } : {}
  }
  const { protocolMessage: act, reactionMessage: reaction } = content
  if (reaction)
    return [{ ...about(reaction.key, reaction.senderTimestampMs), type: 'reaction', emoji: reaction.text || null }]
  if (act) {
    if (isKind(act.type ?? 0, 0, 'REVOKE')) return [{ ...about(act.key, act.timestampMs), type: 'revoke' }]
    if (!isKind(act.type, 14, 'MESSAGE_EDIT')) return []
    const edited = unwrapped(act.editedMessage)
    const body = captionOf(edited) ?? readableOf(edited)?.body
    return body === undefined ? [] : [{ ...about(act.key, act.timestampMs), type: 'edit', body, ...mentionsIn(edited) }]
  }
  const spoken = spokenOf(source, content, pointer)
  if (!spoken) return []
  const context = contextOf(content) ?? source.context
  const message = {
    ...{ providerId: id, timestamp, ...spoken },
    ...mentionsIn(content, context),
    ...(context?.stanzaId ? { quotedProviderId: context.stanzaId } : {}),
    ...(context?.isForwarded ? { isForwarded: true } : {}),
  } as EchoMessage['message']
  return [
    fromMe
      ? { type: 'echo', dedupeKey: id, ...address, mayBeOurs: true, ...(messageId ? { messageId } : {}), message }
      : { type: 'message', dedupeKey: id, ...address, message },
  ]
}

/** Somebody of a group, by every address that is told of them. */
export function memberOf(
  { id, alt, admin }: { id: string; alt?: string | null | undefined; admin?: unknown },
  names: ReadonlyMap<string, string> = new Map(),
): GroupMember {
  const identity = conversationOf(id)
  const number = digitsOf(numbered(id, alt))
  return { identity, name: names.get(identity) || (number && names.get(number)) || '', number, isAdmin: Boolean(admin) }
}
