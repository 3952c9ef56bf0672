import { z } from 'zod'
import { entriesIn, isRecord } from '#domain/keys.ts'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, listOrOne, numberOrText, record, textOrNumber } from '#kit/outside-fields.ts'
import { callMessage } from '../call-message.ts'
import { moneyText, orderText, textIn } from '../found-text.ts'
import type { EchoMessage, ProviderEvent, WebhookResult } from '../port.ts'
import { idOf, lookUp, type Read, received, unread } from '../read.ts'
import { sharedCard } from '../shared-card.ts'
import { adSourceOf, UNSEEN, unseenOf } from '../whatsapp-content.ts'
import { actorOf, fieldsOf, sentAt } from '../whatsapp-messages.ts'
import { readableOf } from '../whatsapp-readable.ts'
import { adReplyField, outsideId } from '../whatsapp-shapes.ts'
import { conversationOf, isConversation } from './phones.ts'

const options = z.array(record({ name: textOrNumber }))
const payment = record({
  ...{ value: numberOrText, currencyCode: z.string() },
  paymentInfo: record({ value: numberOrText, currencyCode: z.string() }),
})
/** Schema of a cart, or of an order and its changes; prices of carts are in thousandths, values of orders in units. */
const order = record({
  ...{ orderTitle: textOrNumber, message: textOrNumber, currency: z.string(), total: numberOrText },
  products: z.array(record({ name: textOrNumber, quantity: numberOrText, price: numberOrText, value: numberOrText })),
})

const file = record({
  ...{ mimeType: z.string(), caption: textOrNumber, fileName: textOrNumber, title: textOrNumber },
  ...{ seconds: numberOrText, imageUrl: z.string(), videoUrl: z.string(), audioUrl: z.string() },
  ...{ documentUrl: z.string(), stickerUrl: z.string() },
})
const payload = record({
  ...{ type: z.string(), instanceId: z.string(), messageId: outsideId, phone: textOrNumber, fromMe: flag },
  /** Epoch ms, spelled so. */
  momment: numberOrText,
  ...{ chatName: textOrNumber, senderName: textOrNumber, chatLid: z.string(), senderLid: z.string() },
  ...{ photo: z.string(), senderPhoto: z.string(), participantPhone: textOrNumber, participantLid: z.string() },
  ...{ isGroup: flag, isEdit: flag, isNewsletter: flag, broadcast: flag, forwarded: flag, waitingMessage: flag },
  ...{ referenceMessageId: outsideId, notification: z.string(), notificationParameters: z.array(outsideId) },
  ...{ mentioned: z.array(textOrNumber), text: record({ message: textOrNumber }) },
  location: record({
    latitude: numberOrText.refine((one) => Math.abs(one) <= 90),
    longitude: numberOrText.refine((one) => Math.abs(one) <= 180),
    ...{ name: textOrNumber, address: textOrNumber },
  }),
  contact: record({ displayName: textOrNumber, vCard: z.string(), phones: listOrOne(textOrNumber) }),
  pinMessage: z.looseObject({}),
  reaction: record({ value: z.string(), referencedMessage: record({ messageId: outsideId }) }),
  buttonsResponseMessage: record({ buttonId: textOrNumber, message: textOrNumber }),
  listResponseMessage: record({ selectedRowId: textOrNumber, message: textOrNumber, title: textOrNumber }),
  product: record({ title: textOrNumber, price: numberOrText, currencyCode: z.string(), description: textOrNumber }),
  externalAdReply: adReplyField,
  ...{ order, reviewAndPay: order, reviewOrder: order, requestPayment: payment, sendPayment: payment },
  pixKeyMessage: record({ key: textOrNumber, merchantName: textOrNumber }),
  poll: record({ question: textOrNumber, pollMaxOptions: numberOrText, options }),
  pollVote: record({ pollMessageId: outsideId, options }),
  event: record({
    ...{ name: textOrNumber, description: textOrNumber, joinLink: z.string(), canceled: flag },
    ...{ scheduleTime: numberOrText, location: record({ name: textOrNumber, address: textOrNumber }) },
  }),
  eventResponse: record({ response: z.string(), referencedMessage: record({ messageId: outsideId }) }),
  callId: outsideId,
  ...{ image: file, video: file, audio: file, document: file, sticker: file },
  ...{ status: z.string(), ids: listOrOne(outsideId), error: textOrNumber },
})
type Payload = z.output<typeof payload>

/** Pointer to a file: a link valid for thirty days. */
export const mediaPointer = z.object({ url: z.string() })
export type MediaPointer = z.output<typeof mediaPointer>

/** Number of characters of a picture's URL that distinguish it. */
const MOST_MARK = 500
const UNDECRYPTED = 'Aguardando esta mensagem'
const FILES = {
  ...{ image: 'imagem', video: 'video', audio: 'audio', document: 'documento', sticker: 'figurinha' },
} as const satisfies Record<FileKind, string>
/** Fields with an author's content that is unsupported or could not be read. */
const UNCARRIED = [
  ...[...Object.keys(FILES), 'text', 'location', 'contact', 'product', 'buttonsResponseMessage', 'listResponseMessage'],
  ...['poll', 'pollVote', 'order', 'hydratedTemplate', 'externalAdReply', 'requestPayment', 'sendPayment'],
  ...['reviewAndPay', 'reviewOrder', 'pixKeyMessage', 'buttonsMessage', 'carouselMessage', 'newsletterAdminInvite'],
  ...['event', 'eventResponse'],
]
const STATUSES = { sent: 'sent', received: 'delivered', read: 'read', played: 'played' } as const

/** Reads a webhook call of an instance of Z-API; not genuine if it is about another instance. */
export function readCall(body: Uint8Array, instanceId: string, now: Date): WebhookResult {
  const given = parseJson(body)
  const read = readOutside(payload, given)
  if (read?.data.instanceId !== instanceId) return { isGenuine: false }
  const call = read.data
  // Its spelling varies.
  const type = call.type?.toLowerCase() ?? ''
  const genuine = (events: readonly ProviderEvent[], isStateNews = false, name?: string): WebhookResult => {
    const names = [...fieldsOf(read.wrong, type), ...(name ? [name] : [])]
    return {
      ...{ isGenuine: true, events: events.map((event) => ({ event })), isStateNews },
      ...(names.length > 0 ? { unread: names } : {}),
    }
  }
  switch (type) {
    case 'receivedcallback': {
      const { events, unread: name } = spoken(call, given, now)
      return genuine(events, call.notification?.startsWith('GROUP_') ?? false, name)
    }
    case 'messagestatuscallback':
      return genuine(ticked(call, now))
    case 'deliverycallback':
      return genuine(delivered(call, now))
    case 'connectedcallback':
    case 'disconnectedcallback':
      return genuine([], true)
    default:
      return { isGenuine: true, events: [], unread: [call.type ?? ''] }
  }
}

function ticked({ status = '', ids = [], phone = '', momment, isGroup }: Payload, now: Date): ProviderEvent[] {
  const known = lookUp(STATUSES, status.toLowerCase())
  const conversationKey = conversationOf(phone)
  // Receipts of groups do not say how many members have given them.
  if (!known || isGroup || phone.endsWith('-group') || !isConversation(conversationKey)) return []
  const about = { conversationKey, timestamp: sentAt(momment, now), status: known }
  return ids.map((id) => ({ ...about, type: 'receipt', dedupeKey: `${id} ${known}`, providerId: id }))
}

// Z-API responds with 200 as soon as a message is in its queue.
function delivered({ phone = '', messageId: providerId, error }: Payload, now: Date): ProviderEvent[] {
  const conversationKey = conversationOf(phone)
  if (!providerId || !isConversation(conversationKey)) return []
  const about = { conversationKey, providerId, timestamp: now.getTime() }
  const failed = { status: 'failed', error: 'a Z-API não conseguiu enviar a mensagem' } as const
  const outcome = error ? failed : ({ status: 'sent' } as const)
  return [{ type: 'receipt', dedupeKey: `${providerId} ${outcome.status} queue`, ...about, ...outcome }]
}

function spoken(payload: Payload, given: unknown, now: Date): Read {
  const { phone = '', fromMe = false, momment, isGroup = phone.endsWith('-group') } = payload
  const id = payload.messageId ?? idOf(given)
  // A contact's list message belongs to their conversation; the recipients of the company's own lists are unknown.
  if (payload.isNewsletter || phone.endsWith('broadcast') || (payload.broadcast && fromMe)) return received([])
  const timestamp = sentAt(momment, now)
  const conversationKey = conversationOf(phone, isGroup)
  if (!isConversation(conversationKey)) return unread('receivedcallback without a conversation')
  const sender = senderOf(payload, isGroup, conversationKey)
  const about = (providerId: string, what: string) => ({
    ...{ dedupeKey: `${id} ${what} ${timestamp}`, conversationKey, providerId, timestamp },
    ...actorOf(fromMe, sender),
  })
  const { notification, notificationParameters: [named] = [] } = payload
  if (notification === 'REVOKE')
    return received([{ ...about(payload.referenceMessageId ?? (named || id), 'revoke'), type: 'revoke' }])
  const ring = /^CALL_(VOICE|VIDEO)$/.exec(notification ?? '')
  if (ring && !fromMe && !isGroup) {
    const message = callMessage(payload.callId ?? id, timestamp, ring[1] === 'VIDEO')
    return received([{ type: 'message', dedupeKey: `${message.providerId} call`, conversationKey, sender, message }])
  }
  // Pinning a message is no message.
  if (notification || payload.pinMessage) return received([])
  if (payload.reaction) {
    const target = payload.reaction.referencedMessage?.messageId ?? payload.referenceMessageId
    if (!target) return unread('receivedcallback reaction')
    return received([{ ...about(target, 'reaction'), type: 'reaction', emoji: payload.reaction.value || null }])
  }
  const content = contentOf(payload, isRecord(given) ? given : {})
  const unknown = ['receivedcallback', ...partsOf(payload)].join(' ')
  if (!content) return unread(unknown)
  if (payload.isEdit) return received([{ ...about(id, 'edit'), type: 'edit', body: content.body }])
  const mentions = isGroup
    ? (payload.mentioned ?? [...content.body.matchAll(/@(\d{8,30})/g)].map(([, digits = '']) => digits))
    : []
  const ad = fromMe || isGroup ? null : adSourceOf(payload.externalAdReply)
  const answered = payload.pollVote?.pollMessageId ?? payload.eventResponse?.referencedMessage?.messageId
  const quoted = payload.referenceMessageId ?? answered
  const message = {
    ...{ providerId: id, timestamp, ...content },
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(quoted ? { quotedProviderId: quoted } : {}),
    ...(payload.forwarded ? { isForwarded: true } : {}),
    ...(ad ? { ad } : {}),
  } as EchoMessage['message']
  const event = {
    ...{ dedupeKey: content.type === 'undecrypted' ? `${id} undecrypted` : id, conversationKey, sender, message },
    ...(isGroup ? { isGroup: true, ...(payload.chatName ? { groupName: payload.chatName } : {}) } : {}),
  }
  if (fromMe) return received([{ type: 'echo', mayBeOurs: true, ...event }])
  return received([{ type: 'message', ...event }, ...pictured(given, isGroup, conversationKey, timestamp)])
}

function senderOf({ fromMe, phone = '', ...payload }: Payload, isGroup: boolean, conversationKey: string) {
  const name = fromMe ? '' : (payload.senderName ?? payload.chatName ?? '')
  const usable = (address: string | undefined): string | undefined =>
    address && isConversation(address) ? address : undefined
  const lid = usable(isGroup ? payload.participantLid : (payload.chatLid ?? payload.senderLid))
  const identity = isGroup ? (usable(payload.participantPhone) ?? lid ?? conversationOf(phone, false)) : conversationKey
  const alias = lid?.endsWith('@lid') && lid !== identity ? { alias: lid } : {}
  return { identity, name, number: /^\d+$/.test(identity) ? identity : null, ...alias }
}

// A new picture is reported only with the person's next message; another URL means another picture.
function pictured(given: unknown, isGroup: boolean, conversationKey: string, timestamp: number) {
  const { photo, senderPhoto } = isRecord(given) ? given : {}
  const shown = isGroup || senderPhoto === undefined ? photo : senderPhoto
  if (shown !== null && typeof shown !== 'string') return []
  const mark = (shown && URL.parse(shown)?.pathname.slice(0, MOST_MARK)) || 'none'
  return [{ type: 'picture', dedupeKey: `${conversationKey} picture ${mark}`, conversationKey, timestamp } as const]
}

// Objects in a payload hold the content; plain values are metadata.
const partsOf = (payload: object): string[] =>
  Object.entries(payload).flatMap(([name, part]) =>
    part && typeof part === 'object' && !Array.isArray(part) ? name : [],
  )

type Content = Pick<EchoMessage['message'], 'type' | 'body' | 'data' | 'remote'>

function contentOf(payload: Payload, given: Readonly<Record<string, unknown>>): Content | null {
  if (payload.waitingMessage) return { type: 'undecrypted', body: UNDECRYPTED }
  for (const [kind, called] of entriesIn(FILES)) {
    const part = payload[kind]
    const url = part?.[`${kind}Url`]
    if (part && url) return { type: kind, body: part.caption ?? '', remote: fileOf(part, called, url) }
  }
  const { text, location, contact, product, buttonsResponseMessage: button, listResponseMessage: row } = payload
  if (text?.message) return { type: 'text', body: text.message }
  if (location?.latitude !== undefined && location.longitude !== undefined) {
    const { latitude, longitude, name, address } = location
    const data = { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
    return { type: 'location', body: name ?? address ?? '', data }
  }
  if (contact) {
    const data = sharedCard(contact.displayName, contact.vCard, contact.phones)
    if (data) return { type: 'contact', body: data.fullName, data }
  }
  const pressed = button ?? row
  if (pressed) {
    const buttonId = button?.buttonId ?? row?.selectedRowId ?? ''
    return { type: 'interactive_reply', body: pressed.message ?? row?.title ?? 'Resposta', data: { buttonId } }
  }
  if (product) {
    const { title, price = 0, currencyCode, description } = product
    const priceAmount1000 = price * 1000
    return readableOf({ productMessage: { product: { title, priceAmount1000, currencyCode, description } } })
  }
  return dealOf(payload) ?? gatheringOf(payload) ?? unseenIn(given)
}

/** Converts an order or payment into text. */
function dealOf({ order: cart, reviewAndPay, reviewOrder, requestPayment, sendPayment, ...payload }: Payload) {
  const whole = cart ?? reviewAndPay ?? reviewOrder
  if (whole) {
    const { orderTitle, message, currency, total, products = [] } = whole
    const items = products.map(({ name = '', quantity = 1, price, value }) => ({
      ...{ name, quantity, currency: currency ?? '' },
      ...(value !== undefined ? { price: value } : price !== undefined ? { price: price / 1000 } : {}),
    }))
    const title = [cart ? '' : 'Pedido', message].filter(Boolean).join('\n')
    const sum = total === undefined || items.length === 0 ? undefined : cart ? total / 1000 : total
    const body = orderText(title || (items.length > 0 ? '' : (orderTitle ?? '')), items, sum)
    return body === '' ? null : ({ type: 'order', body } as const)
  }
  const paid = requestPayment ?? sendPayment
  if (paid) {
    const { value = paid.paymentInfo?.value, currencyCode = paid.paymentInfo?.currencyCode } = paid
    const what = requestPayment ? 'Pedido de pagamento' : 'Pagamento'
    const amount = value === undefined ? what : `${what}: ${moneyText(value, currencyCode)}`
    return { type: 'text', body: [amount, textIn(paid)].filter(Boolean).join('\n') } as const
  }
  const { key, merchantName } = payload.pixKeyMessage ?? {}
  return key ? ({ type: 'text', body: ['Chave Pix', merchantName, key].filter(Boolean).join('\n') } as const) : null
}

const ATTENDANCE = { GOING: 'Vou', NOT_GOING: 'Não vou', MAYBE: 'Talvez' } as const

/** Converts polls, events, and answers to them. */
function gatheringOf({ poll, pollVote, event, eventResponse }: Payload): Content | null {
  const named = (all: z.output<typeof options> = []) => all.flatMap(({ name = '' }) => name || [])
  if (poll) {
    const { question: name = '', pollMaxOptions: selectableOptionsCount = 0 } = poll
    const given = named(poll.options).map((optionName) => ({ optionName }))
    return readableOf({ pollCreationMessage: { name, options: given, selectableOptionsCount } })
  }
  if (pollVote) {
    const chosen = named(pollVote.options)
    return { type: 'text', body: chosen.length > 0 ? `Votou: ${chosen.join(', ')}` : 'Retirou o voto.' }
  }
  if (event) {
    const { scheduleTime: startTime, canceled: isCanceled, ...about } = event
    const eventMessage = { ...about, ...(startTime ? { startTime } : {}), ...(isCanceled ? { isCanceled } : {}) }
    return readableOf({ eventMessage })
  }
  const answer = lookUp(ATTENDANCE, eventResponse?.response)
  return answer ? { type: 'text', body: `Resposta ao evento: ${answer}` } : null
}

/** Returns a placeholder for unsupported content, with all text found in it; null if there is no content. */
function unseenIn(given: Readonly<Record<string, unknown>>): Content | null {
  const isUncarried = (name: string) => UNCARRIED.includes(name)
  const parts = Object.entries(given).filter(([name, part]) => part != null && (isUncarried(name) || isRecord(part)))
  const spoken = Object.fromEntries(parts.filter(([name]) => name !== 'externalAdReply'))
  if (textIn(spoken) !== '') return unseenOf(spoken)
  return parts.some(([name]) => isUncarried(name)) ? { type: 'text', body: UNSEEN } : null
}

function fileOf({ mimeType = '', fileName, title, seconds }: z.output<typeof file>, called: string, url: string) {
  const ending = /^\w+\/([\w-]+)/.exec(mimeType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin'
  const pointer: MediaPointer = { url }
  return {
    name: fileName || title || `${called}.${ending}`,
    size: null,
    ...(seconds && seconds > 0 && seconds < 1e9 ? { durationMs: seconds * 1000 } : {}),
    pointer,
  }
}
