import type { BinaryNode, proto, WAMessageKey } from 'baileys'
import type { MessageData } from '#domain/messages/data.ts'
import type { FileKind } from '../config.ts'
import type { ProviderEvent } from '../port.ts'
import type { Library } from './library.ts'
import { fileOf } from './media-in.ts'

/** How a conversation is called with us: the digits of a number, the address of who shows none, or of a group. */
export const conversationOf = (jid: string): string => {
  const [user = '', server] = jid.split('@')
  return server === 's.whatsapp.net' ? user.split(':')[0]! : `${user.split(':')[0]}@${server}`
}

/** The address of a conversation. */
export const jidOf = (conversationKey: string): string =>
  conversationKey.includes('@') ? conversationKey : `${conversationKey.replace(/\D/g, '')}@s.whatsapp.net`

/** Of two names of somebody the one with a number. */
export const numbered = (jid: string, other: string | null | undefined): string =>
  other && !jid.endsWith('@s.whatsapp.net') && other.endsWith('@s.whatsapp.net') ? other : jid

type Spoken = {
  readonly body: string
  readonly data?: MessageData
  readonly type: 'text' | 'contact' | 'location' | FileKind
} & Partial<Pick<NonNullable<ReturnType<typeof fileOf>>, 'remote'>>

/** A kind that is not carried yet: it stands there, to be seen on the phone. */
const UNSEEN = 'Veja no celular.'

function spokenOf(content: proto.IMessage, key: WAMessageKey): Spoken | null {
  const text = content.conversation ?? content.extendedTextMessage?.text
  if (text !== null && text !== undefined) return { type: 'text', body: text }
  const { contactMessage: card, locationMessage: location } = content
  if (card) {
    const [, about = '', phone = ''] = /^(?:item\d+\.)?TEL([^:\n]*):(.*)$/m.exec(card.vcard ?? '') ?? []
    const wuid = /waid=(\d+)/.exec(about)?.[1]
    const data = { fullName: card.displayName ?? '', phoneNumber: phone.trim(), ...(wuid ? { wuid } : {}) }
    return { type: 'contact', body: data.fullName, data }
  }
  if (location) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = location
    const data = {
      latitude: latitude ?? 0,
      longitude: longitude ?? 0,
      ...(name ? { name } : {}),
      ...(address ? { address } : {}),
    }
    return { type: 'location', body: name ?? address ?? '', data }
  }
  const file = fileOf(content, key)
  if (file) return file
  const caption = content.imageMessage?.caption ?? content.videoMessage?.caption ?? content.documentMessage?.caption
  const isKnown = Object.keys(content).some((key) => key.endsWith('Message') && key !== 'senderKeyDistributionMessage')
  return isKnown ? { type: 'text', body: caption ? `${caption}\n${UNSEEN}` : UNSEEN } : null
}

const contextOf = (content: proto.IMessage): proto.IContextInfo | null =>
  Object.values(content).find((part) => typeof part === 'object' && part && 'contextInfo' in part)?.contextInfo ?? null

/** Whose device it is, and by which number a LID is known. */
export type Own = { readonly id: string; readonly lid: string; numberOf(lid: string): Promise<string | null> }

/**
 * What a decrypted message is to the product: something said, by a contact or on the phone itself, or done to something
 * said before. Nothing where it concerns the device alone, or is no conversation (status posts, channels).
 */
export async function eventsOf(
  { cleanMessage, decodeMessageNode, normalizeMessageContent, proto, unpadRandomMax16 }: Library,
  stanza: BinaryNode,
  plain: Uint8Array,
  own: Own,
): Promise<ProviderEvent[]> {
  if (stanza.attrs['category'] === 'peer') return []
  const decoded = proto.Message.decode(unpadRandomMax16(plain))
  const { fullMessage } = decodeMessageNode(stanza, own.id, own.lid)
  fullMessage.message = decoded.deviceSentMessage?.message ?? decoded
  cleanMessage(fullMessage, own.id, own.lid)
  const { key, pushName } = fullMessage
  const content = normalizeMessageContent(fullMessage.message)
  const chat = key.remoteJid!
  if (!content || !/@(s\.whatsapp\.net|lid)$/.test(chat)) return []
  const address = numbered(chat, key.remoteJidAlt ?? (await own.numberOf(chat)))
  const conversationKey = conversationOf(address)
  const timestamp = Number(fullMessage.messageTimestamp) * 1000
  // The server's time has whole seconds; which of two acts within one came last, the sender's own clock tells.
  const about = (target: WAMessageKey | null | undefined, sentAt: unknown) => ({
    dedupeKey: key.id!,
    conversationKey,
    providerId: target!.id!,
    timestamp: Math.max(timestamp, Math.min(Number(sentAt) || 0, timestamp + 999)),
  })
  const { protocolMessage, reactionMessage } = content
  if (reactionMessage)
    return key.fromMe
      ? []
      : [
          {
            ...about(reactionMessage.key, reactionMessage.senderTimestampMs),
            type: 'reaction',
            emoji: reactionMessage.text || null,
          },
        ]
  if (protocolMessage) {
    const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
    if (protocolMessage.type === REVOKE)
      return [{ ...about(protocolMessage.key, protocolMessage.timestampMs), type: 'revoke' }]
    const edited = protocolMessage.type === MESSAGE_EDIT ? spokenOf(protocolMessage.editedMessage ?? {}, key) : null
    return edited
      ? [{ ...about(protocolMessage.key, protocolMessage.timestampMs), type: 'edit', body: edited.body }]
      : []
  }
  const spoken = spokenOf(content, key)
  if (!spoken) return []
  const context = contextOf(content)
  const { type, body, data, remote } = spoken
  const number = address.endsWith('@s.whatsapp.net') ? conversationKey : null
  return [
    {
      type: key.fromMe ? 'echo' : 'message',
      dedupeKey: key.id!,
      conversationKey,
      sender: { identity: conversationKey, name: key.fromMe ? '' : (pushName ?? ''), number },
      message: {
        ...{ providerId: key.id!, timestamp, type, body },
        ...(data ? { data } : {}),
        ...(remote ? { remote } : {}),
        ...(context?.stanzaId ? { quotedProviderId: context.stanzaId } : {}),
        ...(context?.isForwarded ? { isForwarded: true } : {}),
      },
    },
  ]
}

const STATUS = { delivered: 'delivered', read: 'read', 'read-self': null, played: 'played' } as const

/** The ticks that a receipt gives. */
export async function receiptsOf({ attrs, content }: BinaryNode, own: Own): Promise<ProviderEvent[]> {
  const status = STATUS[(attrs['type'] ?? 'delivered') as keyof typeof STATUS]
  const from = attrs['from'] ?? ''
  const plain = conversationOf(from)
  if (!status || !/@(s\.whatsapp\.net|lid)$/.test(from) || attrs['recipient']) return []
  const number = from.endsWith('@lid') ? await own.numberOf(plain) : null
  const conversationKey = number ? conversationOf(number) : plain
  const list = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const items = Array.isArray(list) ? list.map((item) => item.attrs['id']!) : []
  return [attrs['id']!, ...items].map((id) => ({
    type: 'receipt',
    dedupeKey: `${id} ${status}`,
    conversationKey,
    providerId: id,
    status,
    timestamp: Number(attrs['t'] ?? 0) * 1000,
  }))
}
