import type { proto } from 'baileys'
import type { Door, JsonValue, ProviderEvent, WebhookResult } from '../port.ts'
import { conversationOf, digitsOf, isList } from '../whatsapp-addresses.ts'
import { actorOf, eventsOfMessage, type WebMessage } from '../whatsapp-messages.ts'
import { respelled } from '../whatsapp-spelling.ts'

type Message = {
  readonly id?: string
  readonly messageid: string
  readonly chatid: string
  readonly sender?: string
  readonly sender_pn?: string
  readonly senderName?: string
  readonly groupName?: string
  readonly fromMe?: boolean
  readonly messageType?: string
  readonly text?: string
  readonly content?: unknown
  readonly quoted?: string
  /** The ids of the messages that it reacts to, or edits. */
  readonly reaction?: string
  readonly edited?: string
  readonly track_id?: string
  readonly buttonOrListid?: string
  /** Epoch ms. */
  readonly messageTimestamp: number | string
}
type Chat = { readonly wa_chatid?: string; readonly wa_chatlid?: string }
type Update = {
  readonly messageIds?: readonly string[]
  readonly messageIDs?: readonly string[]
  readonly type?: string
  readonly chat?: string
  readonly sender?: string
  readonly isFromMe?: boolean
  readonly timestamp?: string | number
}
type Payload = {
  readonly EventType?: string
  readonly instanceName?: string
  /** The digits of the own number. */
  readonly owner?: string
  readonly message?: Message
  readonly chat?: Chat
  readonly event?: unknown
  readonly state?: string
  readonly type?: string
}

/** By what a file is fetched: the name of its message. */
export type MediaPointer = { readonly id: string }

/** A name with its owner before it is that name. */
const bare = (id: string): string => id.slice(id.lastIndexOf(':') + 1)

/** When something was, in ms: as a number of seconds or milliseconds, or written out. */
function timeOf(given: string | number | undefined, now: Date): number {
  const at = typeof given === 'number' || /^\d+$/.test(given ?? '') ? Number(given) : Date.parse(given ?? '')
  if (!(at > 0)) return now.getTime()
  return at < 1e11 ? at * 1000 : at
}

/** Reads a call of UAZAPI about one of its instances; of another one it is not for us. */
export function readCall(body: Uint8Array, door: Pick<Door, 'name'>, now: Date): WebhookResult {
  const payload = JSON.parse(new TextDecoder().decode(body)) as Payload
  if (payload.instanceName !== door.name) return { isGenuine: false }
  const genuine = (events: readonly ProviderEvent[]): WebhookResult => ({
    ...{ isGenuine: true, events: events.map((event) => ({ event })) },
  })
  switch (payload.EventType) {
    case 'messages':
      return genuine(payload.message ? spoken(payload.message, payload.chat ?? {}, now) : [])
    case 'messages_update':
      return genuine(updated(respelled(payload.event) as Update, payload, now))
    case 'contacts':
      return genuine(pictured(respelled(payload.event) as { jid?: string; pictureId?: string; remove?: boolean }, now))
    case 'connection':
    case 'groups':
      return { isGenuine: true, events: [], isStateNews: true }
    default:
      return { isGenuine: true, events: [], unread: [payload.EventType ?? ''] }
  }
}

function spoken(message: Message, { wa_chatid, wa_chatlid }: Chat, now: Date): ProviderEvent[] {
  const { messageid: id, chatid, sender, sender_pn, senderName = '', groupName, fromMe = false } = message
  const alias = [wa_chatid, wa_chatlid].find((one) => one && one !== chatid)
  const source: WebMessage = {
    ...{ id, chat: chatid, chatAlt: alias, author: sender, authorAlt: sender_pn, fromMe, name: senderName, groupName },
    ...{ timestamp: timeOf(message.messageTimestamp, now), content: contentOf(message) },
    context: message.quoted ? { stanzaId: bare(message.quoted) } : null,
  }
  const pointer: MediaPointer = { id }
  return eventsOfMessage(source, () => pointer as unknown as JsonValue, message.track_id)
}

/** What a message says, as phones write it: its parts are theirs, texts, edits and reactions stand beside them. */
function contentOf({
  messageType = '',
  text = '',
  content,
  reaction,
  edited,
  buttonOrListid,
}: Message): proto.IMessage {
  if (reaction) return { reactionMessage: { key: { id: bare(reaction) }, text } }
  if (edited) return { protocolMessage: { type: 14, key: { id: bare(edited) }, editedMessage: { conversation: text } } }
  if (buttonOrListid) return { buttonsResponseMessage: { selectedButtonId: buttonOrListid, selectedDisplayText: text } }
  const part = respelled(typeof content === 'object' ? content : {}) as Record<string, unknown> | null
  if (/^(conversation|extendedTextMessage)$/i.test(messageType)) {
    const contextInfo = part?.['contextInfo'] as proto.IContextInfo
    return { extendedTextMessage: { text, ...(contextInfo ? { contextInfo } : {}) } }
  }
  const field = messageType.charAt(0).toLowerCase() + messageType.slice(1)
  // A caption is the text, wherever else it stands.
  return { [field]: { ...part, ...(text && !part?.['caption'] ? { caption: text } : {}) } }
}

const STATUSES = { delivered: 'delivered', read: 'read', played: 'played', sent: 'sent', error: 'failed' } as const

// Its shape varies: the kind stands in the event, or beside it.
function updated(
  { messageIds, messageIDs, type, chat = '', sender = '', isFromMe, timestamp }: Update,
  { state, owner }: Payload,
  now: Date,
): ProviderEvent[] {
  // Without any word of it it is another kind of news; an empty one is that of delivery.
  if (type === undefined && state === undefined) return []
  const kind = (type || state || 'delivered').toLowerCase()
  const at = timeOf(timestamp, now)
  const conversationKey = conversationOf(isList(chat) && sender ? sender : chat)
  return (messageIds ?? messageIDs ?? []).map(bare).flatMap((providerId): ProviderEvent[] => {
    if (kind === 'deleted' || kind === 'revoked') {
      const isOurs = isFromMe ?? (owner !== undefined && digitsOf(sender) === owner)
      const identity = conversationOf(sender)
      const by = isOurs || sender ? actorOf(isOurs, { identity, name: '', number: digitsOf(sender) }) : {}
      const dedupeKey = `${providerId} revoke ${sender}`
      return [{ type: 'revoke', dedupeKey, conversationKey, providerId, timestamp: at, ...by }]
    }
    const status = STATUSES[kind as keyof typeof STATUSES]
    // Of a group nobody says how many have it by now.
    if (!status || chat.endsWith('@g.us')) return []
    const dedupeKey = `${providerId} ${status}`
    return [{ type: 'receipt', dedupeKey, conversationKey, providerId, status, timestamp: at }]
  })
}

function pictured(
  { jid, pictureId, remove, ...about }: { jid?: string; pictureId?: string; remove?: boolean; timestamp?: string },
  now: Date,
): ProviderEvent[] {
  if (!jid || (pictureId === undefined && remove === undefined)) return []
  const timestamp = timeOf(about.timestamp, now)
  const conversationKey = conversationOf(jid)
  return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${timestamp}`, conversationKey, timestamp }]
}
