import { createHash } from 'node:crypto'
import type { FileKind } from '#domain/messages/file-limits.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { refusalOf } from '../meta-errors.ts'
import type { EchoMessage, JsonValue, ProviderEvent, WebhookResult } from '../port.ts'
import { problemIn } from './api.ts'
import { hasNumbers } from './channels.ts'
import { SUBJECT } from './outbound.ts'

/** By what a file is fetched: where the hub says that it stands, and as what. */
export type MediaPointer = { readonly url: string; readonly kind: string }

type Visitor = { readonly name?: string; readonly firstName?: string; readonly lastName?: string }
type Content = {
  readonly type?: string
  readonly text?: string
  readonly fileUrl?: string
  readonly fileMimeType?: string
  readonly fileName?: string
  readonly fileCaption?: string
  readonly latitude?: number | string
  readonly longitude?: number | string
  readonly name?: string
  readonly address?: string
  readonly contacts?: readonly Card[]
  readonly subject?: string
  readonly html?: string
  readonly template?: { readonly name?: string; readonly language?: { readonly code?: string } }
}
type Card = {
  readonly name?: { readonly formatted_name?: string; readonly formattedName?: string }
  readonly phones?: readonly { readonly phone?: string; readonly wa_id?: string }[]
}
type Message = {
  readonly id?: string
  readonly from?: string
  readonly to?: string
  readonly direction?: string
  readonly visitor?: Visitor
  /** A text. */
  readonly isGroup?: string | boolean
  readonly contents?: readonly Content[]
}
type Call = {
  readonly type?: string
  readonly id?: string
  readonly subscriptionId?: string
  readonly direction?: string
  readonly message?: Message
  readonly messageId?: string
  readonly contentIndex?: number
  readonly messageStatus?: {
    readonly code?: string
    readonly description?: string
    readonly providerMessageId?: string
    readonly error?: unknown
  }
}

const STATUSES = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  REJECTED: 'failed',
  ERROR: 'failed',
  FAILED: 'failed',
  NOT_DELIVERED: 'failed',
} as const

/** Reads a call of the hub about one of its accounts, of a type; of another account it is not for us. */
export function readCall(body: Uint8Array, of: { channelId: string; type: string; now: Date }): WebhookResult {
  const calls = [JSON.parse(new TextDecoder().decode(body)) as Call | readonly Call[]].flat() as readonly Call[]
  if (calls.some(({ subscriptionId }) => subscriptionId !== undefined && String(subscriptionId) !== of.channelId))
    return { isGenuine: false }
  const read = calls.map((call) => readOne(call, of))
  return {
    isGenuine: true,
    events: read.flatMap(({ events }) => events.map((event) => ({ event }))),
    unread: read.flatMap(({ unread = [] }) => unread),
  }
}

type Of = { readonly type: string; readonly now: Date }
type Read = { readonly events: readonly ProviderEvent[]; readonly unread?: readonly string[] }

function readOne(call: Call, of: Of): Read {
  switch (call.type?.toUpperCase()) {
    case 'MESSAGE':
      return call.message ? readMessage(call.message, call, of) : { events: [], unread: ['message'] }
    case 'MESSAGE_STATUS':
      return { events: receiptsOf(call, of.now) }
    default:
      return { events: [], unread: [String(call.type ?? '').slice(0, 60)] }
  }
}

function readMessage(message: Message, { direction, id: callId }: Call, { type, now }: Of): Read {
  const isOut = (message.direction ?? direction ?? '').toUpperCase() === 'OUT'
  const identity = String((isOut ? message.to : message.from) ?? '')
  if (String(message.isGroup) === 'true' || identity === '') return { events: [], unread: ['group'] }
  const conversationKey = hasNumbers(type) ? identity.replace(/\D/g, '') || identity : identity
  const { name = '', firstName = '', lastName = '' } = message.visitor ?? {}
  const called = name || [firstName, lastName].filter(Boolean).join(' ') || conversationKey
  const number = hasNumbers(type) && /^\d+$/.test(conversationKey) ? conversationKey : null
  const sender = { identity: conversationKey, name: isOut ? '' : called, number }
  // Its own times are local, of twelve hours, and say no zone: what arrives is in order.
  const timestamp = now.getTime()
  const id = message.id ?? callId ?? hashOf(message)
  const events = (message.contents ?? []).map((content, n): ProviderEvent => {
    const providerId = n === 0 ? id : `${id}:${n}`
    const spoken = {
      ...{ dedupeKey: providerId, conversationKey, sender },
      message: { providerId, timestamp, ...contentOf(content, isOut) },
    }
    return isOut ? { type: 'echo', mayBeOurs: true, ...spoken } : { type: 'message', ...spoken }
  })
  return { events }
}

const hashOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 32)

type Shown = Pick<EchoMessage['message'], 'type' | 'body' | 'data' | 'remote'>

const NOT_SHOWN: Shown = { type: 'text', body: 'Mensagem de um tipo que o hub não mostra aqui.' }

function contentOf(content: Content, isOut: boolean): Shown {
  const { type = '', text, fileUrl, latitude, longitude, name, address, contacts = [], subject } = content
  if (fileUrl) return fileOf(content, fileUrl)
  if (type === 'location' && latitude !== undefined && longitude !== undefined) {
    const named = { ...(name ? { name } : {}), ...(address ? { address } : {}) }
    const data = { latitude: Number(latitude), longitude: Number(longitude), ...named }
    return { type: 'location', body: name ?? address ?? '', data }
  }
  const [card] = contacts
  if (card) {
    const fullName = card.name?.formatted_name ?? card.name?.formattedName ?? ''
    const [{ phone, wa_id: wuid } = {}] = card.phones ?? []
    const data = { fullName, phoneNumber: phone ?? wuid ?? '', ...(wuid ? { wuid } : {}) }
    return { type: 'contact', body: fullName, data }
  }
  if (content.template?.name) return templateIn(content.template.name, content.template.language?.code)
  // What stands above all mails that are written here is none of their words.
  const about = isOut && subject === SUBJECT ? '' : subject
  const body = [about, text ?? plain(content.html)].filter(Boolean).join('\n\n')
  return body === '' ? NOT_SHOWN : { type: 'text', body }
}

/** A message template as it left, of which the hub says no text. */
const templateIn = (name: string, language = ''): Shown => ({
  ...{ type: 'template', body: `Modelo “${name}”` },
  data: { template: { name, language, header: null, parameters: [] }, buttons: [] },
})

// A mail's formatted text in words; what it looked like stays with the hub.
const plain = (html = ''): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li|tr|h\d)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, called: string) => ENTITIES[called] ?? '')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" },
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ image: 'imagem', video: 'video', audio: 'audio', document: 'documento' },
}

function fileOf({ fileMimeType = '', fileName, fileCaption, text }: Content, url: string): Shown {
  const mime = fileMimeType.toLowerCase()
  // It says a kind, or a MIME type.
  const type = (mime in NAMES ? mime : typeOfMime(mime)) as FileKind
  const ending = /^\w+\/([\w-]+)/.exec(mime)?.[1]?.replace('jpeg', 'jpg')
  const path = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  const called =
    fileName || (/\.\w{2,5}$/.test(path) ? decoded(path) : `${NAMES[type] ?? 'arquivo'}.${ending ?? 'bin'}`)
  const pointer: MediaPointer = { url, kind: type }
  return {
    ...{ type, body: fileCaption ?? text ?? '' },
    remote: { name: called, size: null, pointer: pointer as unknown as JsonValue },
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const UNDELIVERED = 'O NotificaMe Hub não conseguiu entregar a mensagem.'

function receiptsOf({ messageId, message, contentIndex = 0, messageStatus = {} }: Call, now: Date): ProviderEvent[] {
  const { code = '', description, providerMessageId: alias } = messageStatus
  const status = STATUSES[code.toUpperCase() as keyof typeof STATUSES]
  if (!status) return []
  const problem = problemIn(messageStatus)
  const refusal = problem?.code == null ? null : refusalOf(problem.code)
  const providerText = (problem?.text || description || '').slice(0, 300)
  const about = {
    ...({ type: 'receipt', status, timestamp: now.getTime(), conversationKey: String(message?.to ?? '') } as const),
    ...(status === 'failed'
      ? {
          error: refusal?.after ?? UNDELIVERED,
          ...(providerText ? { providerText } : {}),
          ...(refusal?.stops ? { stops: refusal.stops } : {}),
        }
      : {}),
  }
  const named = (providerId: string, more: object): ProviderEvent => ({
    ...{ ...about, providerId, dedupeKey: `${providerId} ${status} ${contentIndex}`, ...more },
  })
  // The later ones may know the message by the channel's own id alone.
  return [
    ...(messageId ? [named(messageId, alias && alias !== messageId ? { alias } : {})] : []),
    ...(alias && alias !== messageId ? [named(alias, { isAlias: true })] : []),
  ]
}
