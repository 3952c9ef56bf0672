import type { AdSource, GeoLocation, MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { refusalOf } from '../meta-errors.ts'
import { templateNewsOf } from '../meta-templates.ts'
import type { AccountEvent, JsonValue, NumberNews, ProviderEvent, TemplateNews } from '../port.ts'
import { attempt, type Read, received, unread } from '../read.ts'
import { type DirectEntry, directEventsIn } from './direct/inbound.ts'
import { type GraphError, providerTextOf } from './graph.ts'
import { isMessageId } from './message-id.ts'
import { numberNewsOf } from './numbers.ts'

/** What is read of a file that Meta keeps: its id, by which a link is asked for, and whose number got it. */
export type MediaPointer = { readonly mediaId: string; readonly phoneId: string }

/** What a body of Meta's says: events, each of a phone number id, and what of it is of no kind that is read here, by name. */
export type MetaEvents = {
  readonly events: readonly AccountEvent[]
  readonly unread: readonly string[]
  readonly templates: readonly TemplateNews[]
  readonly numbers: readonly NumberNews[]
}

type Media = { id: string; mime_type?: string; caption?: string; filename?: string; voice?: boolean }
type Phone = { phone?: string; wa_id?: string }
type Contact = { name?: { formatted_name?: string }; phones?: Phone[] }
type Reply = { id?: string; title?: string }
type Order = { text?: string; product_items?: { product_retailer_id?: string; quantity?: number }[] }

/** The ad from which somebody came. */
type Referral = {
  readonly source_url?: string
  readonly source_type?: string
  readonly source_id?: string
  readonly headline?: string
  readonly body?: string
  readonly image_url?: string
  readonly thumbnail_url?: string
}

/** A message as Meta writes it; `from` is missing where the contact hides their number. */
type MetaMessage = {
  readonly id: string
  readonly from?: string
  readonly from_user_id?: string
  readonly to?: string
  /** Seconds, as a text. */
  readonly timestamp: string
  readonly type: string
  readonly context?: { id?: string; forwarded?: boolean; frequently_forwarded?: boolean }
  readonly text?: { body: string }
  readonly location?: GeoLocation
  readonly contacts?: Contact[]
  readonly reaction?: { message_id: string; emoji?: string }
  readonly button?: { text: string; payload?: string }
  readonly interactive?: {
    type: string
    button_reply?: Reply
    list_reply?: Reply
    nfm_reply?: { body?: string; response_json?: string }
  }
  readonly order?: Order
  readonly referral?: Referral
  readonly system?: { type?: string; wa_id?: string; user_id?: string; previous_user_id?: string }
} & { readonly [K in FileType]?: Media }

type Status = {
  readonly id: string
  readonly status: string
  readonly timestamp: string
  readonly recipient_id?: string
  readonly recipient_user_id?: string
  readonly biz_opaque_callback_data?: string
  readonly errors?: readonly GraphError[]
}

type Value = {
  readonly metadata?: { phone_number_id: string }
  readonly contacts?: readonly { profile?: { name?: string }; wa_id?: string; user_id?: string }[]
  readonly messages?: readonly MetaMessage[]
  readonly message_echoes?: readonly MetaMessage[]
  readonly statuses?: readonly Status[]
}
type Body = {
  readonly object: string
  readonly entry?: readonly { id?: string; time?: number; changes?: readonly { field: string; value: Value }[] }[]
}

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const
type FileType = (typeof FILES)[number]
const isFile = (type: string): type is FileType => FILES.includes(type as FileType)

const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const
type ReceiptStatus = (typeof STATUSES)[number]

/**
 * Reads the body of a call of Meta's, of the app with this id: every message and every status is an event of its own, of a
 * number, a page or an Instagram account.
 */
export function eventsIn(text: string, appId = ''): MetaEvents {
  // Ids of templates are numbers there, with more digits than a number here has.
  const exact = text.replace(/(?<="message_template_id":\s*)\d+/g, '"$&"')
  const { object, entry = [] } = JSON.parse(exact) as Body
  if (object === 'page' || object === 'instagram')
    return { ...directEventsIn(object, entry as readonly DirectEntry[], appId), templates: [], numbers: [] }
  const events: AccountEvent[] = []
  const names: string[] = []
  const templates: TemplateNews[] = []
  const numbers: NumberNews[] = []
  for (const { field, value, time, id } of entry.flatMap(({ id = '', time = 0, changes = [] }) =>
    changes.map((one) => ({ ...one, time, id })),
  )) {
    const news = templateNewsOf(field, value, time * 1000)
    if (news) {
      templates.push(news)
      continue
    }
    const found = numberNewsOf(field, value, { business: id, at: time * 1000 })
    numbers.push(...found.news)
    if (found.isAll) continue
    const account = value.metadata?.phone_number_id
    const isRead = object === 'whatsapp_business_account' && account !== undefined && FIELDS.includes(field)
    if (!isRead) {
      names.push(`${object}.${field}`)
      continue
    }
    const read: readonly Read[] = [
      ...(value.messages ?? []).map((message) => attempt(() => eventsOf(message, value, account, 'message'))),
      ...(value.message_echoes ?? []).map((message) => attempt(() => eventsOf(message, value, account, 'echo'))),
      ...(value.statuses ?? []).map((status) => attempt(() => receiptOf(status))),
    ]
    for (const one of read) {
      events.push(...one.events.map((event) => ({ account, event })))
      if (one.unread) names.push(one.unread)
    }
  }
  return { events, unread: names, templates, numbers }
}

const FIELDS: readonly string[] = ['messages', 'message_echoes', 'smb_message_echoes']

function receiptOf({ id, status, timestamp, errors, ...to }: Status): Read {
  if (!STATUSES.includes(status as ReceiptStatus)) return unread(`statuses.${status}`)
  const [refusal] = status === 'failed' ? (errors ?? [{}]) : []
  const { biz_opaque_callback_data: messageId = '' } = to
  const refused = refusal && refusalOf(refusal.code ?? null)
  const providerText = providerTextOf(refusal)
  return received([
    {
      type: 'receipt',
      dedupeKey: `${id}:${status}:${timestamp}`,
      conversationKey: to.recipient_id ?? to.recipient_user_id ?? '',
      providerId: id,
      status: status as ReceiptStatus,
      timestamp: millisecondsOf(timestamp),
      ...(isMessageId(messageId) ? { messageId } : {}),
      ...(refused ? { error: refused.after } : {}),
      ...(refused?.stops ? { stops: refused.stops } : {}),
      ...(providerText ? { providerText } : {}),
    },
  ])
}

const millisecondsOf = (seconds: string): number => Number(seconds) * 1000

type Content = {
  readonly type: MessageType
  readonly body: string
  readonly data?: MessageData
  readonly remote?: { readonly name: string; readonly size: null; readonly pointer: JsonValue }
}

function eventsOf(message: MetaMessage, { contacts = [] }: Value, phoneId: string, type: 'message' | 'echo'): Read {
  const { id, context, timestamp } = message
  const name = `${type}.${message.type}`
  if (message.type === 'system') return newAddresses(message) ?? unread(name)
  const [from, userId] = type === 'echo' ? [message.to, undefined] : [message.from, message.from_user_id]
  const identity = from ?? userId
  if (identity === undefined) return unread(name)
  const about = { dedupeKey: id, conversationKey: identity }
  // Who only opened the conversation has said nothing.
  if (message.type === 'request_welcome') return received([])
  if (message.type === 'reaction') {
    const { message_id: providerId, emoji } = message.reaction!
    const timestampMs = millisecondsOf(timestamp)
    return received([{ ...about, type: 'reaction', providerId, emoji: emoji || null, timestamp: timestampMs }])
  }
  const read = contentsOf(message, phoneId)
  // Whatever somebody says is shown.
  if (!read && type === 'echo') return unread(name)
  const contents = read ?? [NOT_SHOWN]
  const known = contacts.find((one) => (from ? one.wa_id === from : one.user_id === userId))
  const sender = {
    identity,
    name: known?.profile?.name ?? from ?? 'Contato com número oculto',
    number: from ?? null,
    ...(from && userId ? { alias: userId } : {}),
  }
  const ad = adOf(message.referral)
  const events = contents.map((content, n): ProviderEvent => {
    const part = n === 0 ? id : `${id}:${n}`
    return {
      ...{ ...about, type, dedupeKey: part, sender },
      message: {
        ...{ providerId: part, timestamp: millisecondsOf(timestamp), ...content },
        ...(ad && n === 0 ? { ad } : {}),
        ...(context?.id ? { quotedProviderId: context.id } : {}),
        ...(context?.forwarded || context?.frequently_forwarded ? { isForwarded: true } : {}),
      },
    }
  })
  return { events, ...(read ? {} : { unread: name }) }
}

const adOf = (referral: Referral | undefined): AdSource | null =>
  referral
    ? {
        ...{
          sourceId: referral.source_id ?? '',
          url: referral.source_url ?? '',
          isPost: referral.source_type === 'post',
        },
        ...{ headline: referral.headline ?? '', text: referral.body ?? '' },
        picture: referral.image_url ?? referral.thumbnail_url ?? null,
      }
    : null

// Who changes the number, or gets another id, stays the same person: each address they had leads to the new one.
function newAddresses({ id, from, from_user_id, system }: MetaMessage): Read | null {
  const number = system?.wa_id ?? null
  const [alias, ...others] = [
    ...new Set([number, system?.user_id, from, from_user_id, system?.previous_user_id].filter((one) => one != null)),
  ]
  if (!alias || others.length === 0) return null
  return received(
    others.map((identity, n) => ({
      ...({ type: 'addresses', dedupeKey: `${id}:${n}`, conversationKey: identity } as const),
      sender: { identity, alias, number },
    })),
  )
}

/** What stands for something that only WhatsApp itself shows. */
const NOT_SHOWN: Content = { type: 'text', body: 'Mensagem de um tipo que o WhatsApp não mostra aqui.' }

/** What a message consists of (of several cards each is one by itself); null where it is of an unknown kind. */
function contentsOf(message: MetaMessage, phoneId: string): readonly Content[] | null {
  const { type } = message
  if (isFile(type)) return [fileOf(type, message[type]!, phoneId)]
  switch (type) {
    case 'text':
      return [{ type: 'text', body: message.text!.body }]
    case 'location': {
      const { latitude, longitude, name, address } = message.location!
      const data = { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
      return [{ type: 'location', body: name ?? address ?? '', data }]
    }
    case 'contacts':
      return message.contacts!.map(cardOf)
    case 'button':
      return [pressed(message.button!.text, message.button!.payload)]
    case 'interactive':
      return interactiveOf(message.interactive!)
    case 'order':
      return [{ type: 'order', body: orderText(message.order!) }]
    case 'unsupported':
      return [NOT_SHOWN]
    default:
      return null
  }
}

const pressed = (body: string, buttonId = ''): Content => ({ type: 'interactive_reply', body, data: { buttonId } })

function interactiveOf({
  button_reply: button,
  list_reply: row,
  nfm_reply: form,
}: NonNullable<MetaMessage['interactive']>) {
  const reply = button ?? row
  if (reply) return [pressed(reply.title ?? reply.id ?? 'Resposta', reply.id)]
  return form ? [pressed(formText(form.response_json) || form.body || 'Formulário respondido')] : null
}

// What a form of the contact's says, one field a line; its token is nobody's business.
function formText(json: string | undefined): string {
  try {
    const fields = Object.entries(JSON.parse(json ?? '{}') as object).filter(([name]) => name !== 'flow_token')
    return fields.map(([name, value]) => `${name}: ${[value].flat().join(', ')}`).join('\n')
  } catch {
    return ''
  }
}

const orderText = ({ text, product_items: items = [] }: Order): string =>
  [text, ...items.map(({ quantity = 1, product_retailer_id: id = '' }) => `${quantity} × ${id}`)]
    .filter(Boolean)
    .join('\n')

function cardOf({ name, phones = [] }: Contact): Content {
  const [{ phone, wa_id: wuid } = {} as Phone] = phones
  const fullName = name?.formatted_name ?? ''
  return {
    type: 'contact',
    body: fullName,
    data: { fullName, phoneNumber: phone ?? wuid ?? '', ...(wuid ? { wuid } : {}) },
  }
}

function fileOf(
  type: FileType,
  { id: mediaId, caption, filename, mime_type: mime = '' }: Media,
  phoneId: string,
): Content {
  const pointer: MediaPointer = { mediaId, phoneId }
  const ending = /^\w+\/([\w-]+)/.exec(mime)?.[1] ?? 'bin'
  return { type, body: caption ?? '', remote: { name: filename ?? `${NAMES[type]}.${ending}`, size: null, pointer } }
}

const NAMES: Readonly<Record<FileType, string>> = {
  image: 'imagem',
  video: 'video',
  audio: 'audio',
  document: 'documento',
  sticker: 'figurinha',
}
