import type { FileKind } from '#domain/messages/file-limits.ts'
import type { EchoMessage, JsonValue, ProviderEvent, WebhookResult } from '../port.ts'
import { type Read, received, unread } from '../read.ts'
import { UNSEEN } from '../whatsapp-content.ts'
import { actorOf } from '../whatsapp-messages.ts'
import { readableOf } from '../whatsapp-readable.ts'
import { conversationOf } from './phones.ts'

type File = {
  readonly mimeType?: string
  readonly caption?: string
  readonly fileName?: string
  readonly title?: string
  readonly seconds?: number
}
type Received = {
  readonly type?: string
  readonly instanceId?: string
  readonly messageId: string
  readonly phone: string
  readonly fromMe?: boolean
  /** Epoch ms, spelled so. */
  readonly momment?: number
  readonly chatName?: string
  readonly chatLid?: string | null
  readonly senderName?: string
  readonly photo?: string | null
  readonly senderPhoto?: string | null
  readonly isGroup?: boolean
  readonly participantPhone?: string | null
  readonly participantLid?: string | null
  readonly isEdit?: boolean
  readonly isNewsletter?: boolean
  readonly broadcast?: boolean
  readonly forwarded?: boolean
  readonly waitingMessage?: boolean
  readonly referenceMessageId?: string | null
  readonly notification?: string
  readonly notificationParameters?: readonly string[]
  readonly mentioned?: readonly string[]
  readonly text?: { readonly message: string }
  readonly location?: { latitude: number; longitude: number; name?: string; address?: string }
  readonly contact?: { displayName?: string; vCard?: string; phones?: readonly string[] }
  readonly pinMessage?: object
  readonly reaction?: { value?: string; referencedMessage?: { messageId?: string } }
  readonly buttonsResponseMessage?: { buttonId?: string; message?: string }
  readonly listResponseMessage?: { selectedRowId?: string; message?: string; title?: string }
  readonly product?: { title?: string; price?: number; currencyCode?: string; description?: string }
} & { readonly [K in FileKind]?: File & Readonly<Record<string, unknown>> }
type Status = {
  readonly status?: string
  readonly ids?: readonly string[]
  readonly phone: string
  readonly momment?: number
  readonly isGroup?: boolean
}
type Delivery = { readonly phone: string; readonly messageId: string; readonly error?: string }

/** By what a file is fetched: a link that lives for thirty days. */
export type MediaPointer = { readonly url: string }

const UNDECRYPTED = 'Aguardando esta mensagem'
const FILES = {
  ...{ image: 'imagem', video: 'video', audio: 'audio', document: 'documento', sticker: 'figurinha' },
} as const satisfies Record<FileKind, string>
/** What is said and is not carried yet. */
const UNCARRIED = [
  ...['poll', 'pollVote', 'order', 'hydratedTemplate', 'externalAdReply', 'requestPayment', 'sendPayment'],
  ...['reviewAndPay', 'reviewOrder', 'pixKeyMessage', 'buttonsMessage', 'carouselMessage', 'newsletterAdminInvite'],
  ...['event', 'eventResponse'],
]
const STATUSES = { sent: 'sent', received: 'delivered', read: 'read', played: 'played' } as const

/** Reads a call of Z-API about one of its instances; of another one it is not for us. */
export function readCall(body: Uint8Array, instanceId: string, now: Date): WebhookResult {
  const payload = JSON.parse(new TextDecoder().decode(body)) as Received & Status & Delivery
  if (payload.instanceId !== instanceId) return { isGenuine: false }
  const genuine = (events: readonly ProviderEvent[], isStateNews = false, name?: string): WebhookResult => ({
    ...{ isGenuine: true, events: events.map((event) => ({ event })), isStateNews },
    ...(name ? { unread: [name] } : {}),
  })
  // Its spelling varies.
  switch (payload.type?.toLowerCase()) {
    case 'receivedcallback': {
      const { events, unread: name } = spoken(payload, now)
      return genuine(events, payload.notification?.startsWith('GROUP_') ?? false, name)
    }
    case 'messagestatuscallback':
      return genuine(ticked(payload, now))
    case 'deliverycallback':
      return genuine(delivered(payload, now))
    case 'connectedcallback':
    case 'disconnectedcallback':
      return genuine([], true)
    default:
      return { isGenuine: true, events: [], unread: [payload.type ?? ''] }
  }
}

function ticked({ status = '', ids = [], phone, momment, isGroup }: Status, now: Date): ProviderEvent[] {
  const known = STATUSES[status.toLowerCase() as keyof typeof STATUSES]
  // Of a group nobody says how many have it by now.
  if (!known || isGroup || phone.endsWith('-group')) return []
  const about = { conversationKey: conversationOf(phone), timestamp: momment ?? now.getTime(), status: known }
  return ids.map((id) => ({ ...about, type: 'receipt', dedupeKey: `${id} ${known}`, providerId: id }))
}

// It said 200 when it only had put it into its queue.
function delivered({ phone, messageId: providerId, error }: Delivery, now: Date): ProviderEvent[] {
  const about = { conversationKey: conversationOf(phone), providerId, timestamp: now.getTime() }
  const failed = { status: 'failed', error: 'a Z-API não conseguiu enviar a mensagem' } as const
  const outcome = error ? failed : ({ status: 'sent' } as const)
  return [{ type: 'receipt', dedupeKey: `${providerId} ${outcome.status} queue`, ...about, ...outcome }]
}

function spoken(payload: Received, now: Date): Read {
  const { messageId: id, phone, fromMe = false, momment, isGroup = phone.endsWith('-group') } = payload
  // A contact's list stands with them; of the company's own nobody says whom it reached.
  if (payload.isNewsletter || phone.endsWith('broadcast') || (payload.broadcast && fromMe)) return received([])
  const timestamp = momment ?? now.getTime()
  const conversationKey = conversationOf(phone, isGroup)
  const sender = senderOf(payload, isGroup, conversationKey)
  const about = (providerId: string, what: string) => ({
    ...{ dedupeKey: `${id} ${what} ${timestamp}`, conversationKey, providerId, timestamp },
    ...actorOf(fromMe, sender),
  })
  const { notification, notificationParameters: [named] = [] } = payload
  if (notification === 'REVOKE')
    return received([{ ...about(payload.referenceMessageId ?? named ?? id, 'revoke'), type: 'revoke' }])
  // A message that is pinned is nothing said.
  if (notification || payload.pinMessage) return received([])
  if (payload.reaction) {
    const target = payload.reaction.referencedMessage?.messageId ?? payload.referenceMessageId ?? ''
    return received([{ ...about(target, 'reaction'), type: 'reaction', emoji: payload.reaction.value || null }])
  }
  const content = contentOf(payload)
  if (!content) return unread(['receivedcallback', ...partsOf(payload)].join(' '))
  if (payload.isEdit) return received([{ ...about(id, 'edit'), type: 'edit', body: content.body }])
  const mentions = isGroup
    ? (payload.mentioned ?? [...content.body.matchAll(/@(\d{8,})/g)].map(([, digits]) => digits!))
    : []
  const message = {
    ...{ providerId: id, timestamp, ...content },
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(payload.referenceMessageId ? { quotedProviderId: payload.referenceMessageId } : {}),
    ...(payload.forwarded ? { isForwarded: true } : {}),
  } as EchoMessage['message']
  const event = {
    ...{ dedupeKey: content.type === 'undecrypted' ? `${id} undecrypted` : id, conversationKey, sender, message },
    ...(isGroup ? { isGroup: true, ...(payload.chatName ? { groupName: payload.chatName } : {}) } : {}),
  }
  if (fromMe) return received([{ type: 'echo', mayBeOurs: true, ...event }])
  return received([{ type: 'message', ...event }, ...pictured(payload, isGroup, conversationKey, timestamp)])
}

function senderOf({ fromMe, phone, ...payload }: Received, isGroup: boolean, conversationKey: string) {
  const name = fromMe ? '' : (payload.senderName ?? payload.chatName ?? '')
  const identity = isGroup
    ? (payload.participantPhone ?? payload.participantLid ?? conversationOf(phone, false))
    : conversationKey
  const lid = isGroup ? payload.participantLid : payload.chatLid
  const alias = lid && lid !== identity ? { alias: lid } : {}
  return { identity, name, number: /^\d+$/.test(identity) ? identity : null, ...alias }
}

// It tells of nobody's new picture but with their next word; an address that is another one is another picture.
function pictured({ photo, senderPhoto }: Received, isGroup: boolean, conversationKey: string, timestamp: number) {
  const shown = isGroup || senderPhoto === undefined ? photo : senderPhoto
  if (shown === undefined) return []
  const mark = (shown && URL.parse(shown)?.pathname) || 'none'
  return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${mark}`, conversationKey, timestamp } as const]
}

// What a message says stands in objects, beside plain values about it.
const partsOf = (payload: Received): string[] =>
  Object.entries(payload).flatMap(([name, part]) =>
    part && typeof part === 'object' && !Array.isArray(part) ? name : [],
  )

type Content = Pick<EchoMessage['message'], 'type' | 'body' | 'data' | 'remote'>

function contentOf(payload: Received): Content | null {
  if (payload.waitingMessage) return { type: 'undecrypted', body: UNDECRYPTED }
  for (const [kind, called] of Object.entries(FILES) as [FileKind, string][]) {
    const part = payload[kind]
    const url = part?.[`${kind}Url`]
    if (part && typeof url === 'string')
      return { type: kind, body: part.caption ?? '', remote: fileOf(part, called, url) }
  }
  const { text, location, contact, product, buttonsResponseMessage: button, listResponseMessage: row } = payload
  if (text) return { type: 'text', body: text.message }
  if (location) {
    const { latitude, longitude, name, address } = location
    const data = { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
    return { type: 'location', body: name ?? address ?? '', data }
  }
  if (contact) {
    const [, about = '', phone = ''] = /^(?:item\d+\.)?TEL([^:\n]*):(.*)$/m.exec(contact.vCard ?? '') ?? []
    const wuid = /waid=(\d+)/.exec(about)?.[1]
    const fullName = contact.displayName ?? ''
    const phoneNumber = phone.trim() || (contact.phones?.[0] ?? '')
    return { type: 'contact', body: fullName, data: { fullName, phoneNumber, ...(wuid ? { wuid } : {}) } }
  }
  const pressed = button ?? row
  if (pressed) {
    const buttonId = button?.buttonId ?? row?.selectedRowId ?? ''
    return { type: 'interactive_reply', body: pressed.message ?? row?.title ?? 'Resposta', data: { buttonId } }
  }
  if (product) {
    const { title, price, currencyCode, description } = product
    const priceAmount1000 = Number(price ?? 0) * 1000
    return readableOf({ productMessage: { product: { title, priceAmount1000, currencyCode, description } } })
  }
  return partsOf(payload).some((name) => UNCARRIED.includes(name)) ? { type: 'text', body: UNSEEN } : null
}

function fileOf({ mimeType = '', fileName, title, seconds }: File, called: string, url: string) {
  const ending = /^\w+\/([\w-]+)/.exec(mimeType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  const pointer: MediaPointer = { url }
  return {
    name: fileName || title || `${called}.${ending}`,
    size: null,
    ...(seconds ? { durationMs: seconds * 1000 } : {}),
    pointer: pointer as unknown as JsonValue,
  }
}
