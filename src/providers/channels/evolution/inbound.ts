import type { proto } from 'baileys'
import type { GroupMember, GroupUpdate, JsonValue, ProviderEvent, WebhookResult } from '../port.ts'
import { attempt, momentOr, received } from '../read.ts'
import { conversationOf, digitsOf, isList, numbered } from '../whatsapp-addresses.ts'
import { captionOf } from '../whatsapp-content.ts'
import { actorOf, eventsOfMessage, memberOf, unwrapped } from '../whatsapp-messages.ts'
import { readableOf } from '../whatsapp-readable.ts'

type Key = {
  readonly id: string
  readonly remoteJid: string
  readonly remoteJidAlt?: string
  readonly previousRemoteJid?: string
  readonly fromMe: boolean
  readonly participant?: string
  readonly participantAlt?: string
}
type Message = {
  readonly key: Key
  readonly pushName?: string | null
  readonly message?: proto.IMessage | null
  readonly contextInfo?: proto.IContextInfo | null
  readonly messageTimestamp: number | string
}
type Update = { keyId: string; remoteJid: string; fromMe: boolean; participant?: string | null; status: string }
type Participant = string | { readonly id: string; readonly phoneNumber?: string; readonly admin?: string | null }

/** A group as it is told of, whole or what changed of it. */
export type Group = {
  readonly id: string
  readonly subject?: string
  readonly participants?: readonly Participant[]
}

type Body = {
  readonly event?: string
  readonly instance?: string
  readonly data?: unknown
  readonly date_time?: string
}

/** By what a file is fetched: the name of its message. */
export type MediaPointer = { readonly id: string }

const STATUSES = {
  ERROR: 'failed',
  SERVER_ACK: 'sent',
  DELIVERY_ACK: 'delivered',
  READ: 'read',
  PLAYED: 'played',
} as const
const CHANGES = { add: 'add', remove: 'remove', promote: 'promote', demote: 'demote' } as const

/** What it says of the phone itself: whoever has the connection asks how it stands. */
const STATE = new Set(['qrcode.updated', 'connection.update', 'logout.instance', 'remove.instance', 'status.instance'])

const listOf = <T>(data: unknown): readonly T[] => (Array.isArray(data) ? data : data ? [data] : []) as readonly T[]

/** Members of a group, with the names of those who are known. */
export const membersOf = (all: readonly Participant[], names?: ReadonlyMap<string, string>): GroupMember[] =>
  all.map((one) =>
    typeof one === 'string'
      ? memberOf({ id: one }, names)
      : memberOf({ id: one.id, alt: one.phoneNumber, admin: one.admin }, names),
  )

/** Reads a call of an Evolution API about one of its instances; of another instance it is not for us. */
export function readCall(body: Uint8Array, instance: string, now: Date): WebhookResult {
  const payload = JSON.parse(new TextDecoder().decode(body)) as Body
  if (payload.instance !== instance) return { isGenuine: false }
  // Subscribed as MESSAGES_UPSERT, told as messages.upsert.
  const event = String(payload.event ?? '')
    .toLowerCase()
    .replaceAll('_', '.')
  if (STATE.has(event)) return { isGenuine: true, events: [], isStateNews: true }
  const read = readers[event]
  if (!read) return { isGenuine: true, events: [], unread: [event] }
  const at = { now: now.getTime(), mark: String(payload.date_time ?? now.toISOString()) }
  const items = listOf<never>(payload.data).map((one) => attempt(() => received(read(one, at))))
  const events = items.flatMap((item) => item.events.map((one) => ({ event: one })))
  const unread = items.flatMap((item) => (item.unread ? [`${event} ${item.unread}`] : []))
  // Who is in a group it tells without their names.
  const isStateNews = event.startsWith('group')
  return { isGenuine: true, events, isStateNews, ...(unread.length > 0 ? { unread } : {}) }
}

/** When it is read (epoch ms), and what is the same for a call that comes again. */
type At = { readonly now: number; readonly mark: string }

const spoken = (
  { key, pushName, message, contextInfo, messageTimestamp }: Message,
  { now }: Pick<At, 'now'>,
): ProviderEvent[] => {
  const pointer: MediaPointer = { id: key.id }
  return eventsOfMessage(
    {
      ...{ id: key.id, chat: key.remoteJid, chatAlt: key.remoteJidAlt ?? key.previousRemoteJid },
      ...{ author: key.participant, authorAlt: key.participantAlt, fromMe: key.fromMe, name: pushName ?? '' },
      ...{ timestamp: momentOr(Number(messageTimestamp) * 1000, now), content: message ?? {}, context: contextInfo },
    },
    () => pointer as unknown as JsonValue,
  )
}

const readers: Readonly<Record<string, (payload: never, at: At) => ProviderEvent[]>> = {
  'messages.upsert': spoken,
  'send.message': spoken,
  // Its key is as whoever edited sees it: by themselves, with us or one of our addresses, which says nothing of who they are.
  'messages.edited'(payload: proto.Message.IProtocolMessage, { now }) {
    const edited = unwrapped(payload.editedMessage)
    const body = captionOf(edited) ?? readableOf(edited)?.body
    if (!payload.key?.id || body === undefined) return []
    const timestamp = momentOr(Number(payload.timestampMs), now)
    const { remoteJid, fromMe } = payload.key
    const conversationKey = !remoteJid || (fromMe && !remoteJid.endsWith('@g.us')) ? '' : conversationOf(remoteJid)
    const dedupeKey = `${payload.key.id} edit ${timestamp}`
    return [{ type: 'edit', dedupeKey, conversationKey, providerId: payload.key.id, timestamp, body }]
  },
  // It says DELETED of whatever has no status (an edit, a file stored anew): only `messages.delete` takes back.
  'messages.update'({ keyId, remoteJid, fromMe, participant, status }: Update, { now }) {
    const known = STATUSES[status as keyof typeof STATUSES]
    // Of a group nobody says how many have it by now.
    if (!known || !fromMe || (remoteJid.endsWith('@g.us') && known !== 'failed')) return []
    const dedupeKey = `${keyId} ${known} ${participant ?? ''}`.trim()
    const about = { conversationKey: conversationOf(remoteJid), providerId: keyId, timestamp: now }
    return [{ type: 'receipt', dedupeKey, ...about, status: known }]
  },
  // The key is that of who took it back, with the name of what was taken back.
  'messages.delete'(payload: Key & { key?: Key }, { now }) {
    const { id, remoteJid, remoteJidAlt, participant, participantAlt, fromMe } = payload.key ?? payload
    const author = numbered(participant ?? '', participantAlt)
    const conversationKey = conversationOf(numbered(isList(remoteJid) && author ? author : remoteJid, remoteJidAlt))
    const by = { identity: conversationOf(participant ?? ''), name: '', number: digitsOf(author) }
    const whose = fromMe || participant ? actorOf(fromMe, by) : {}
    const dedupeKey = [id, 'revoke', ...(participant ? [participant] : [])].join(' ')
    return [{ type: 'revoke', dedupeKey, conversationKey, providerId: id, timestamp: now, ...whose }]
  },
  'contacts.update'(payload: { remoteJid: string; profilePicUrl?: string | null }, { now, mark }) {
    if (payload.profilePicUrl === undefined || !/@(s\.whatsapp\.net|lid|g\.us)$/.test(payload.remoteJid)) return []
    const conversationKey = conversationOf(payload.remoteJid)
    return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${mark}`, conversationKey, timestamp: now }]
  },
  'groups.upsert': changedGroup,
  'groups.update': changedGroup,
  'group.update': changedGroup,
  'group-participants.update'(
    { id, author, participants, action }: Group & { author?: string; action: string },
    { now, mark },
  ) {
    const change = CHANGES[action as keyof typeof CHANGES]
    if (!change) return []
    const by = author ? { by: conversationOf(author) } : {}
    const about = { conversationKey: id, timestamp: now, ...by }
    const members = membersOf(participants ?? [])
    return [{ ...about, dedupeKey: `${id} ${action} ${mark}`, type: 'participants', change, members }]
  },
}

function changedGroup({ id, subject, participants }: Group, { now, mark }: At): GroupUpdate[] {
  const about = { conversationKey: id, timestamp: now }
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
