import { z } from 'zod'
import { isRecord } from '#domain/keys.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber } from '#kit/outside-fields.ts'
import { callMessage } from '../call-message.ts'
import type { GroupMember, GroupUpdate, ProviderEvent, WebhookResult } from '../port.ts'
import { lookUp } from '../read.ts'
import { addressIn, conversationOf, digitsOf, isList, numbered, numberIn } from '../whatsapp-addresses.ts'
import { captionOf, unwrapped } from '../whatsapp-content.ts'
import {
  actorOf,
  addressOf,
  eventsOfMessage,
  fieldsOf,
  type MessageRead,
  memberOf,
  sentAt,
} from '../whatsapp-messages.ts'
import { readableOf } from '../whatsapp-readable.ts'
import { contextField, outsideId, readContent } from '../whatsapp-shapes.ts'

/** Key of a message, with all field names that its versions have used for numbers and LIDs. */
const keyFields = {
  ...{ id: outsideId, fromMe: flag, remoteJid: z.string(), remoteJidAlt: z.string(), previousRemoteJid: z.string() },
  ...{ senderPn: z.string(), senderLid: z.string() },
  ...{ participant: z.string(), participantAlt: z.string(), participantPn: z.string(), participantLid: z.string() },
}
const key = record(keyFields)
const message = record({
  ...{ key, pushName: textOrNumber, message: z.unknown(), contextInfo: contextField, messageTimestamp: numberOrText },
})
const edited = record({ key, editedMessage: z.unknown(), timestampMs: numberOrText })
const update = record({
  ...{ keyId: outsideId, remoteJid: z.string(), fromMe: flag, participant: z.string(), status: z.string() },
})
const deleted = record({ ...keyFields, key })
const contact = record({ remoteJid: z.string(), profilePicUrl: z.string() })
const call = record({
  ...{ id: outsideId, from: z.string(), chatId: z.string(), callerPn: z.string(), status: z.string() },
  ...{ isVideo: flag, isGroup: flag, date: z.union([z.number(), z.string()]) },
})
const participant = z.union([
  z.string(),
  z.looseObject({ id: z.string(), phoneNumber: z.string().optional(), admin: z.unknown().optional() }),
])
/** Schema of a group, whole or as a change. */
export const groupField = z.looseObject({
  ...{ id: z.string(), subject: textOrNumber.optional(), participants: z.array(participant).optional() },
})
const membersChange = groupField.extend({ author: z.string().optional(), action: z.string().optional() })

const body = record({ event: z.string(), instance: z.string(), date_time: textOrNumber })

type Participant = z.output<typeof participant>
type Key = z.output<typeof key>

/** Pointer to a file: the id of its message. */
export const mediaPointer = z.object({ id: z.string() })
export type MediaPointer = z.output<typeof mediaPointer>

const STATUSES = {
  ERROR: 'failed',
  SERVER_ACK: 'sent',
  DELIVERY_ACK: 'delivered',
  READ: 'read',
  PLAYED: 'played',
} as const
const CHANGES = { add: 'add', remove: 'remove', promote: 'promote', demote: 'demote' } as const

/** Events about the phone itself, after which the connection's holder queries the state. */
const STATE = new Set(['qrcode.updated', 'connection.update', 'logout.instance', 'remove.instance', 'status.instance'])

/** Returns the members of a group, with names where known. */
export const membersOf = (all: readonly Participant[], names?: ReadonlyMap<string, string>): GroupMember[] =>
  all.flatMap((one) => {
    const { id, alt, admin } = typeof one === 'string' ? { id: one } : { ...one, alt: one.phoneNumber }
    const address = addressIn(id)
    return address ? memberOf({ id: address, alt: numberIn(alt), admin }, names) : []
  })

/** Reads a webhook call of an instance of Evolution API; not genuine if it is about another instance. */
export function readCall(bytes: Uint8Array, instance: string, now: Date): WebhookResult {
  const whole = parseJson(bytes)
  const call = readOutside(body, whole)
  if (call?.data.instance !== instance) return { isGenuine: false }
  const { event: given = '', date_time } = call.data
  // Subscribed as MESSAGES_UPSERT, reported as messages.upsert.
  const event = given.toLowerCase().replaceAll('_', '.')
  if (STATE.has(event)) return { isGenuine: true, events: [], isStateNews: true }
  const read = lookUp(readers, event)
  if (!read) return { isGenuine: true, events: [], unread: [event] }
  // Raw data, because null means that the picture was removed.
  const data = isRecord(whole) ? whole['data'] : null
  const at = { now, mark: date_time?.slice(0, MOST_MARK) ?? now.toISOString() }
  const items = (Array.isArray(data) ? data : data ? [data] : []).map((one) => read(one, at))
  const events = items.flatMap((item) => item.events.map((one) => ({ event: one })))
  const unread = [...fieldsOf(call.wrong, event), ...items.flatMap((item) => fieldsOf(item.unread, event))]
  // Group events contain members without their names.
  const isStateNews = event.startsWith('group')
  return { isGenuine: true, events, isStateNews, ...(unread.length > 0 ? { unread } : {}) }
}

/** Time of reading, and a mark that is equal for repeated calls. */
type At = { readonly now: Date; readonly mark: string }
const MOST_MARK = 60

/** Creates the reader of an event's items by a schema. */
const reader =
  <S extends z.ZodType>(schema: S, eventsOf: (item: z.output<S>, at: At) => readonly ProviderEvent[] | MessageRead) =>
  (given: unknown, at: At): MessageRead => {
    const read = readOutside(schema, given)
    if (!read) return { events: [], unread: ['incomplete'] }
    const found = eventsOf(read.data, at)
    return 'events' in found
      ? { events: found.events, unread: [...read.wrong, ...found.unread] }
      : { events: found, unread: read.wrong }
  }

const spoken = reader(message, ({ key: name = {}, pushName, message: content, contextInfo, messageTimestamp }, at) => {
  const { id, remoteJid, fromMe = false } = name
  const pointer: MediaPointer = { id: id ?? '' }
  const isGroup = remoteJid?.endsWith('@g.us')
  // The sender of the company's own messages is the company.
  const senders = fromMe ? [] : [numberIn(name.senderPn), name.senderLid]
  const authors = [name.participantAlt, numberIn(name.participantPn), name.participantLid]
  return eventsOfMessage(
    {
      ...{ id, chat: remoteJid, fromMe, name: pushName ?? '', content, context: contextInfo ?? null },
      chatAlt: [name.remoteJidAlt, name.previousRemoteJid, ...(isGroup ? [] : senders)],
      ...{ author: name.participant, authorAlt: [...authors, ...(isGroup ? senders : [])] },
      timestamp: sentAt(messageTimestamp, at.now),
    },
    () => pointer,
  )
})

function changedGroup({ id, subject, participants }: z.output<typeof groupField>, { now, mark }: At): GroupUpdate[] {
  if (addressIn(id) !== id) return []
  const about = { conversationKey: id, timestamp: now.getTime() }
  return [
    ...(subject ? [{ ...about, dedupeKey: `${id} profile ${mark}`, type: 'profile', name: subject } as const] : []),
    ...(participants
      ? [
          {
            ...({ ...about, dedupeKey: `${id} all ${mark}`, type: 'participants', change: 'all' } as const),
            members: membersOf(participants),
          },
        ]
      : []),
  ]
}

/** Returns conversation and author of a message key; null if it names none. */
function whereOf({ remoteJid, remoteJidAlt, participant: by, participantAlt, participantPn }: Key) {
  const author = addressIn(by)
  const number = author && numbered(author, addressIn(participantAlt) ?? numberIn(participantPn))
  const chat = addressIn(remoteJid)
  const where = chat && isList(chat) && number ? number : chat
  if (!where || isList(where)) return null
  return { conversationKey: conversationOf(numbered(where, addressIn(remoteJidAlt))), author, number }
}

const caller = (id: string | undefined, date: string | number | undefined, now: Date) => {
  const at = typeof date === 'string' ? Date.parse(date) : date
  return { id, fromMe: false, name: '', timestamp: sentAt(at, now) }
}

const readers: Readonly<Record<string, (given: unknown, at: At) => MessageRead>> = {
  'messages.upsert': spoken,
  'send.message': spoken,
  // The key is from the editor's view: own messages, with our number or LID, which does not identify the editor.
  'messages.edited': reader(edited, ({ key: name, editedMessage, timestampMs }, { now }) => {
    const { content, wrong } = readContent(unwrapped(editedMessage))
    const text = captionOf(content) ?? readableOf(content)?.body
    if (!name?.id || text === undefined) return { events: [], unread: wrong }
    const timestamp = sentAt(timestampMs, now)
    const where = addressIn(name.remoteJid)
    const conversationKey = !where || (name.fromMe && !where.endsWith('@g.us')) ? '' : conversationOf(where)
    const dedupeKey = `${name.id} edit ${timestamp}`
    return {
      events: [{ type: 'edit', dedupeKey, conversationKey, providerId: name.id, timestamp, body: text }],
      unread: wrong,
    }
  }),
  // Updates without a status (an edit, a re-stored file) have DELETED too: only `messages.delete` revokes.
  'messages.update': reader(update, ({ keyId, remoteJid, fromMe, participant: by, status }, { now }) => {
    const known = lookUp(STATUSES, status)
    const where = addressIn(remoteJid)
    // Receipts of groups do not say how many members have given them.
    if (!known || !fromMe || !keyId || !where || (where.endsWith('@g.us') && known !== 'failed')) return []
    const dedupeKey = `${keyId} ${known} ${addressIn(by) ?? ''}`.trim()
    const about = { conversationKey: conversationOf(where), providerId: keyId, timestamp: now.getTime() }
    return [{ type: 'receipt', dedupeKey, ...about, status: known }]
  }),
  // The key is from the revoker's view, with the id of the revoked message.
  'messages.delete': reader(deleted, (given, { now }) => {
    const name = given.key ?? given
    const where = whereOf(name)
    if (!where || !name.id) return []
    const { conversationKey, author, number } = where
    const by = { identity: author ? conversationOf(author) : '', name: '', number: number && digitsOf(number) }
    const whose = name.fromMe || author ? actorOf(name.fromMe ?? false, by) : {}
    const dedupeKey = [name.id, 'revoke', ...(author ? [author] : [])].join(' ')
    return [{ type: 'revoke', dedupeKey, conversationKey, providerId: name.id, timestamp: now.getTime(), ...whose }]
  }),
  // A null URL means that there is no picture.
  'contacts.update': (given, { now, mark }) => {
    const hasPicture = isRecord(given) && 'profilePicUrl' in given
    return reader(contact, ({ remoteJid }) => {
      const where = addressIn(remoteJid)
      if (!hasPicture || !where || !/@(s\.whatsapp\.net|lid|g\.us)$/.test(where)) return []
      const conversationKey = conversationOf(where)
      const dedupeKey = `${conversationKey} picture ${mark}`
      return [{ type: 'picture', dedupeKey, conversationKey, timestamp: now.getTime() }]
    })(given, { now, mark })
  },
  // Reported at each change of a call, which begins with its offer.
  call: reader(call, ({ id, from, chatId, callerPn, status, isVideo = false, isGroup, date }, { now }) => {
    const where = addressOf({ chat: from ?? chatId, chatAlt: [numberIn(callerPn)], ...caller(id, date, now) })
    if (status !== 'offer' || isGroup || !id || !where || 'isGroup' in where) return []
    const at = caller(id, date, now).timestamp
    return [{ type: 'message', dedupeKey: `${id} call`, ...where, message: callMessage(id, at, isVideo) }]
  }),
  'groups.upsert': reader(groupField, changedGroup),
  'groups.update': reader(groupField, changedGroup),
  'group.update': reader(groupField, changedGroup),
  'group-participants.update': reader(membersChange, ({ id, author, participants, action }, { now, mark }) => {
    const change = lookUp(CHANGES, action)
    if (!change || addressIn(id) !== id) return []
    const by = addressIn(author)
    const about = { conversationKey: id, timestamp: now.getTime(), ...(by ? { by: conversationOf(by) } : {}) }
    const members = membersOf(participants ?? [])
    return [{ ...about, dedupeKey: `${id} ${action} ${mark}`, type: 'participants', change, members }]
  }),
}
