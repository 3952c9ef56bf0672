import { z } from 'zod'
import { isRecord } from '#domain/keys.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, listOrOne, record, textOrNumber } from '#kit/outside-fields.ts'
import type { Door, ProviderEvent, WebhookResult } from '../port.ts'
import { lookUp } from '../read.ts'
import { addressIn, conversationOf, digitsOf, isList, numberIn } from '../whatsapp-addresses.ts'
import { actorOf, eventsOfMessage, fieldsOf, type MessageRead, sentAt, type WebMessage } from '../whatsapp-messages.ts'
import { outsideId } from '../whatsapp-shapes.ts'
import { respelled } from '../whatsapp-spelling.ts'

/** Schema of a time: seconds, milliseconds, or text. */
const moment = z.union([z.number(), z.string()])

const message = record({
  ...{ id: outsideId, messageid: outsideId, quoted: outsideId, track_id: outsideId },
  ...{ chatid: z.string(), sender: z.string(), sender_pn: z.string(), sender_lid: z.string() },
  ...{ senderName: textOrNumber, groupName: textOrNumber, fromMe: flag, messageType: z.string() },
  ...{ text: textOrNumber, content: z.unknown(), buttonOrListid: textOrNumber, messageTimestamp: moment },
  /** Ids of the messages that it reacts to, or edits. */
  ...{ reaction: z.string(), edited: z.string() },
  /** Chosen options of a poll, separated by bars. */
  vote: textOrNumber,
})
const payload = record({
  ...{ EventType: z.string(), instanceName: z.string(), state: z.string(), type: z.string(), event: z.unknown() },
  /** Digits of the own number. */
  owner: textOrNumber,
  message: listOrOne(message),
  chat: record({ wa_chatid: z.string(), wa_chatlid: z.string() }),
})
const update = record({
  ...{ messageIds: listOrOne(outsideId), messageIDs: listOrOne(outsideId), type: z.string() },
  ...{ chat: z.string(), sender: z.string(), isFromMe: flag, timestamp: moment },
})
const picture = record({ jid: z.string(), pictureId: textOrNumber, remove: flag, timestamp: moment })

type Message = z.output<typeof message>
type Payload = z.output<typeof payload>

/** Pointer to a file: the id of its message. */
export const mediaPointer = z.object({ id: z.string() })
export type MediaPointer = z.output<typeof mediaPointer>

/** Removes the owner in front of a message id. */
const bare = (id: string | undefined): string | undefined => id?.slice(id.lastIndexOf(':') + 1) || undefined

function timeOf(given: string | number | undefined, now: Date): number {
  const isNumber = typeof given === 'number' || /^\d{1,20}$/.test(given ?? '')
  return sentAt(isNumber ? Number(given) : Date.parse(given ?? ''), now)
}

/** Reads a webhook call of an instance of UAZAPI; not genuine if it is about another instance. */
export function readCall(body: Uint8Array, door: Pick<Door, 'name'>, now: Date): WebhookResult {
  const read = readOutside(payload, parseJson(body))
  if (read?.data.instanceName !== door.name) return { isGenuine: false }
  const { data: call, wrong } = read
  const kind = call.EventType ?? ''
  if (kind === 'connection' || kind === 'groups') return { isGenuine: true, events: [], isStateNews: true }
  const { events, unread } = eventsOf(kind, call, now)
  const names = [...fieldsOf(wrong, kind), ...unread]
  return { isGenuine: true, events: events.map((event) => ({ event })), ...(names.length > 0 ? { unread: names } : {}) }
}

function eventsOf(kind: string, call: Payload, now: Date): MessageRead {
  switch (kind) {
    case 'messages': {
      const all = (call.message ?? []).map((one) => spoken(one, call.chat ?? {}, now))
      return { events: all.flatMap(({ events }) => events), unread: all.flatMap(({ unread }) => unread) }
    }
    case 'messages_update': {
      const read = readOutside(update, respelled(call.event))
      const events = read ? updated(read.data, call, now) : []
      return { events, unread: fieldsOf(read?.wrong ?? ['event'], kind) }
    }
    case 'contacts': {
      const read = readOutside(picture, respelled(call.event))
      return { events: read ? pictured(read.data, now) : [], unread: fieldsOf(read?.wrong ?? ['event'], kind) }
    }
    default:
      return { events: [], unread: [kind] }
  }
}

function spoken(message: Message, { wa_chatid, wa_chatlid }: NonNullable<Payload['chat']>, now: Date): MessageRead {
  const { chatid, sender, sender_pn, sender_lid, senderName: name = '', groupName, fromMe = false } = message
  const id = message.messageid ?? bare(message.id)
  const quoted = bare(message.quoted)
  const source: WebMessage = {
    ...{ id, chat: chatid ?? wa_chatid, chatAlt: [wa_chatid, wa_chatlid] },
    ...{ author: sender, authorAlt: [numberIn(sender_pn), sender_lid], fromMe, name, groupName },
    ...{ timestamp: timeOf(message.messageTimestamp, now), content: contentOf(message) },
    context: quoted ? { stanzaId: quoted } : null,
  }
  const pointer: MediaPointer = { id: id ?? '' }
  return eventsOfMessage(source, () => pointer, message.track_id)
}

/** Returns the parts of a message, also if they are a JSON text. */
function partOf(content: unknown): Readonly<Record<string, unknown>> {
  if (typeof content !== 'string') {
    const spelled = respelled(content)
    return isRecord(spelled) ? spelled : {}
  }
  try {
    const read = parseJson(content)
    return isRecord(read) ? partOf(read) : { text: content }
  } catch {
    return { text: content }
  }
}

/** Converts a message into WhatsApp's form: its parts have it already; text, edits and reactions are in fields beside them. */
function contentOf({ messageType = '', text = '', content, ...about }: Message): object {
  const [reaction, edited] = [bare(about.reaction), bare(about.edited)]
  if (reaction) return { reactionMessage: { key: { id: reaction }, text } }
  if (edited) return { protocolMessage: { type: 14, key: { id: edited }, editedMessage: { conversation: text } } }
  const part = partOf(content)
  if (about.buttonOrListid) {
    // For a list row the text is its id; the title is in its parts.
    const shown = textOrNumber.safeParse(part['title']).data ?? text
    return { buttonsResponseMessage: { selectedButtonId: about.buttonOrListid, selectedDisplayText: shown } }
  }
  if (about.vote) return { extendedTextMessage: { text: `Votou: ${about.vote.replaceAll('|', ', ')}` } }
  const isText = messageType === '' && Object.keys(part).every((name) => name === 'text' || name === 'contextInfo')
  if (isText || /^(conversation|extendedTextMessage)$/i.test(messageType))
    return { extendedTextMessage: { ...part, text: text || part['text'] } }
  const given = messageType || 'unknown'
  const name = given.charAt(0).toLowerCase() + given.slice(1)
  const field = /Message(V\d+)?$/.test(name) ? name : `${name}Message`
  // For some kinds (polls) the parts are the whole message.
  if (isRecord(part[field])) return part
  // The text is the caption, whatever field it comes in.
  return { [field]: { ...part, ...(text && !part['caption'] ? { caption: text } : {}) } }
}

const STATUSES = { delivered: 'delivered', read: 'read', played: 'played', sent: 'sent', error: 'failed' } as const

// Its shape varies: the kind is inside the event, or beside it.
function updated(
  { messageIds, messageIDs, type, chat = '', sender = '', isFromMe, timestamp }: z.output<typeof update>,
  { state, owner }: Payload,
  now: Date,
): ProviderEvent[] {
  // Without a type it is another event; an empty type means delivered.
  if (type === undefined && state === undefined) return []
  const kind = (type || state || 'delivered').toLowerCase()
  const at = timeOf(timestamp, now)
  const by = addressIn(sender)
  const where = isList(chat) && by ? by : addressIn(chat)
  if (!where) return []
  const conversationKey = conversationOf(where)
  return (messageIds ?? messageIDs ?? []).flatMap((id): ProviderEvent[] => {
    const providerId = bare(id)
    if (!providerId) return []
    if (kind === 'deleted' || kind === 'revoked') {
      const number = by && digitsOf(by)
      const isOurs = isFromMe ?? (owner !== undefined && number === owner)
      const who = isOurs || by ? actorOf(isOurs, { identity: by ? conversationOf(by) : '', name: '', number }) : {}
      const dedupeKey = `${providerId} revoke ${by ?? ''}`
      return [{ type: 'revoke', dedupeKey, conversationKey, providerId, timestamp: at, ...who }]
    }
    const status = lookUp(STATUSES, kind)
    // Receipts of groups do not say how many members have given them.
    if (!status || where.endsWith('@g.us')) return []
    const dedupeKey = `${providerId} ${status}`
    return [{ type: 'receipt', dedupeKey, conversationKey, providerId, status, timestamp: at }]
  })
}

function pictured({ jid, pictureId, remove, ...about }: z.output<typeof picture>, now: Date): ProviderEvent[] {
  const where = addressIn(jid)
  if (!where || (pictureId === undefined && remove === undefined)) return []
  const timestamp = timeOf(about.timestamp, now)
  const conversationKey = conversationOf(where)
  return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${timestamp}`, conversationKey, timestamp }]
}
