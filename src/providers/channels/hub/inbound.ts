import { z } from 'zod'
import { isKeyOf, ownMember } from '#domain/keys.ts'
import { locationOf } from '#domain/messages/data.ts'
import { typeOfMime } from '#domain/messages/types.ts'
import { parseJson, readOutside } from '#kit/outside.ts'
import { flag, listOrOne, numberOrText, record, textOrNumber as text } from '#kit/outside-fields.ts'
import { notShown } from '../found-text.ts'
import { refusalOf } from '../meta-errors.ts'
import type { EchoMessage, ProviderEvent, WebhookResult } from '../port.ts'
import { type Given, idOf, type Read, readEach, received, unread } from '../read.ts'
import { problemIn } from './api.ts'
import { hasNumbers } from './channels.ts'
import { plain } from './mail-text.ts'
import { SUBJECT } from './outbound.ts'

/** Pointer to a file: its URL at the hub, and its kind. */
export const mediaPointer = z.object({ url: z.string(), kind: z.string() })
export type MediaPointer = z.output<typeof mediaPointer>

const card = record({
  name: record({ formatted_name: text, formattedName: text }),
  phones: z.array(record({ phone: text, wa_id: text })),
  emails: z.array(record({ email: text })),
  org: record({ company: text }),
})
const content = record({
  ...{ type: text, text, fileUrl: text, fileMimeType: text, fileName: text, fileCaption: text },
  ...{ latitude: numberOrText, longitude: numberOrText, name: text, address: text },
  contacts: listOrOne(card),
  ...{ subject: text, html: text },
  template: record({ name: text, language: record({ code: text }) }),
})
type Content = z.output<typeof content>

/** Schema of an id, at most 500 characters. */
const id = text.refine((given) => given !== '' && given.length <= 500)
const message = record({
  ...{ id, from: id, to: id, direction: text },
  visitor: record({ name: text, firstName: text, lastName: text }),
  isGroup: flag,
  contents: listOrOne(z.unknown()),
})
type Message = z.output<typeof message>

const call = record({
  ...{ type: text, id, subscriptionId: text, direction: text, message, messageId: id, contentIndex: numberOrText },
  messageStatus: record({ code: text, description: text, providerMessageId: id, error: z.unknown() }),
})
type Call = z.output<typeof call>

const STATUSES = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  REJECTED: 'failed',
  ERROR: 'failed',
  FAILED: 'failed',
  NOT_DELIVERED: 'failed',
} as const

/** Reads a webhook call of an account of the hub; not genuine if it is about another account. */
export function readCall(body: Uint8Array, of: { channelId: string; type: string; now: Date }): WebhookResult {
  const calls = [parseJson(body)].flat()
  const subscriptions = calls.map((one) => readOutside(call, one)?.data.subscriptionId)
  if (subscriptions.some((one) => one !== undefined && one !== of.channelId)) return { isGenuine: false }
  const { events, unread: names } = readEach('call', call, calls, (one, given) => readOne(one, given, of))
  return { isGenuine: true, events: events.map((event) => ({ event })), unread: names }
}

type Of = { readonly type: string; readonly now: Date }

function readOne(one: Call, given: Given, of: Of): Read {
  switch (one.type?.toUpperCase()) {
    case 'MESSAGE':
      return one.message ? readMessage(one.message, one, given, of) : unread('message')
    case 'MESSAGE_STATUS':
      return received(receiptsOf(one, of.now))
    default:
      return unread((one.type ?? '').slice(0, 60))
  }
}

function readMessage(one: Message, { direction, id: callId }: Call, { whole, wrong }: Given, { type, now }: Of): Read {
  const isOut = (one.direction ?? direction ?? '').toUpperCase() === 'OUT'
  const identity = (isOut ? one.to : one.from) ?? ''
  // Only messages known to be private are treated as such.
  if (one.isGroup || wrong.includes('message.isGroup') || identity === '') return unread('group')
  const conversationKey = hasNumbers(type) ? identity.replace(/\D/g, '') || identity : identity
  const { name = '', firstName = '', lastName = '' } = one.visitor ?? {}
  const called = name || [firstName, lastName].filter(Boolean).join(' ') || conversationKey
  const number = hasNumbers(type) && /^\d+$/.test(conversationKey) ? conversationKey : null
  const sender = { identity: conversationKey, name: isOut ? '' : called, number }
  // The hub's times are local, in 12-hour format without a zone; events arrive in order.
  const timestamp = now.getTime()
  const messageId = one.id ?? callId ?? idOf(whole)
  const contents = one.contents?.length ? one.contents : [whole]
  const events = contents.map((part, n): ProviderEvent => {
    const providerId = n === 0 ? messageId : `${messageId}:${n}`
    const spoken = {
      ...{ dedupeKey: providerId, conversationKey, sender },
      message: { providerId, timestamp, ...contentOf(part, isOut) },
    }
    return isOut ? { type: 'echo', mayBeOurs: true, ...spoken } : { type: 'message', ...spoken }
  })
  return received(events)
}

type Shown = Pick<EchoMessage['message'], 'type' | 'body' | 'data' | 'remote'>

function contentOf(part: unknown, isOut: boolean): Shown {
  const given = readOutside(content, part)?.data ?? {}
  const { type = '', text, fileUrl, latitude, longitude, name, address, contacts = [], subject } = given
  if (fileUrl) return fileOf(given, fileUrl)
  const found = type === 'location' ? locationOf({ latitude, longitude, name, address }) : null
  if (found) return { type: 'location', body: found.name || found.address || '', data: found }
  const [first] = contacts
  if (first) {
    const [{ phone, wa_id: wuid } = {}, ...others] = first.phones ?? []
    const more = [
      ...others.map((one) => one.phone ?? one.wa_id),
      ...(first.emails ?? []).map(({ email }) => email),
      first.org?.company,
    ].flatMap((one) => one || [])
    const fullName = first.name?.formatted_name ?? first.name?.formattedName ?? ''
    const data = {
      ...{ fullName, phoneNumber: phone ?? wuid ?? '' },
      ...(wuid ? { wuid } : {}),
      ...(more.length > 0 ? { more } : {}),
    }
    return { type: 'contact', body: fullName, data }
  }
  if (given.template?.name) return templateIn(given.template.name, given.template.language?.code)
  // The common subject of mails written here is not part of their text.
  const about = isOut && subject === SUBJECT ? '' : subject
  const body = [about, text ?? plain(given.html)].filter(Boolean).join('\n\n')
  return { type: 'text', body: body || notShown('hub', part) }
}

/** Returns a sent message template; the hub does not give its text. */
const templateIn = (name: string, language = ''): Shown => ({
  ...{ type: 'template', body: `Modelo “${name}”` },
  data: { template: { name, language, header: null, parameters: [] }, buttons: [] },
})

const NAMES = { image: 'imagem', video: 'video', audio: 'audio', document: 'documento' } as const

function fileOf({ fileMimeType = '', fileName, fileCaption, text }: Content, url: string): Shown {
  const mime = fileMimeType.toLowerCase()
  // The field contains a kind, or a MIME type.
  const type = isKeyOf(NAMES, mime) ? mime : typeOfMime(mime)
  const ending = /^\w+\/([\w-]+)/.exec(mime)?.[1]?.replace('jpeg', 'jpg')
  const path = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  const called =
    fileName || (/\.\w{2,5}$/.test(path) ? decoded(path) : `${ownMember(NAMES, type) ?? 'arquivo'}.${ending ?? 'bin'}`)
  const pointer: MediaPointer = { url, kind: type }
  return { type, body: fileCaption ?? text ?? '', remote: { name: called, size: null, pointer } }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const UNDELIVERED = 'O NotificaMe Hub não conseguiu entregar a mensagem.'

function receiptsOf(
  { messageId, message: about, contentIndex = 0, messageStatus = {} }: Call,
  now: Date,
): ProviderEvent[] {
  const { code = '', description, providerMessageId: alias } = messageStatus
  const status = ownMember(STATUSES, code.toUpperCase())
  if (!status) return []
  const problem = problemIn(messageStatus)
  const refusal = problem?.code == null ? null : refusalOf(problem.code)
  const providerText = (problem?.text || description || '').slice(0, 300)
  const receipt = {
    ...({ type: 'receipt', status, timestamp: now.getTime(), conversationKey: about?.to ?? '' } as const),
    ...(status === 'failed'
      ? {
          error: refusal?.after ?? UNDELIVERED,
          ...(providerText ? { providerText } : {}),
          ...(refusal?.stops ? { stops: refusal.stops } : {}),
        }
      : {}),
  }
  const named = (providerId: string, more: object): ProviderEvent => ({
    ...{ ...receipt, providerId, dedupeKey: `${providerId} ${status} ${contentIndex}`, ...more },
  })
  // Later statuses may contain the channel's own id only.
  return [
    ...(messageId ? [named(messageId, alias && alias !== messageId ? { alias } : {})] : []),
    ...(alias && alias !== messageId ? [named(alias, { isAlias: true })] : []),
  ]
}
