import { isOneOf } from '#domain/keys.ts'
import { type AdSource, type ContactCard, locationOf, type MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import { parseJson } from '#kit/outside.ts'
import { orderText, valueText } from '../found-text.ts'
import type { JsonValue } from '../port.ts'
import { sharedCard } from '../shared-card.ts'
import type { Card, Interactive, Media, MetaMessage, Order, Referral, Content as Told } from './schemas.ts'

/** Pointer to a file at Meta: its media id, for requesting a link, and the id of the receiving number. */
export type MediaPointer = { readonly mediaId: string; readonly phoneId: string }

/** Content of one message as it is shown; a message of Meta may become several. */
export type Content = {
  readonly type: MessageType
  readonly body: string
  readonly data?: MessageData
  readonly remote?: { readonly name: string; readonly size: null; readonly pointer: JsonValue }
}

const FILES = ['image', 'video', 'audio', 'document', 'sticker'] as const
type FileType = (typeof FILES)[number]
const isFile = (type: string): type is FileType => isOneOf(FILES, type)

const KINDS = [...FILES, 'text', 'location', 'contacts', 'button', 'interactive', 'order'] as const

/** Returns the kind of a message, stated or derived from its fields. */
export const kindOf = (message: Told): string => message.type ?? KINDS.find((kind) => message[kind]) ?? ''

/** Converts a message into contents, one for each contact card; empty if nothing can be read. */
export function contentsOf(message: Told, phoneId: string): readonly Content[] {
  const type = kindOf(message)
  if (isFile(type)) return fileOf(type, message[type] ?? {}, phoneId)
  switch (type) {
    case 'text':
      return message.text?.body === undefined ? [] : [{ type: 'text', body: message.text.body }]
    case 'location': {
      const data = locationOf(message.location)
      return data ? [{ type: 'location', body: data.name || data.address || '', data }] : []
    }
    case 'contacts':
      return (message.contacts ?? []).flatMap((card) => cardOf(card) ?? [])
    case 'button': {
      const { text, payload } = message.button ?? {}
      return (text ?? payload) ? [pressed(text ?? payload ?? '', payload)] : []
    }
    case 'interactive':
      return interactiveOf(message.interactive ?? {}, phoneId)
    case 'order': {
      const body = orderOf(message.order ?? {})
      return body ? [{ type: 'order', body }] : []
    }
    default:
      return []
  }
}

/** Returns the text of an edited message, or the caption of its file; undefined if it has neither. */
export const textOf = (message: Told): string | undefined =>
  message.text?.body ?? FILES.map((type) => message[type]?.caption).find((caption) => caption !== undefined)

/** Returns the catalogue product that a message asks about, as text; '' if none. */
export function productText({ context }: MetaMessage): string {
  const { product_retailer_id: product, catalog_id: catalog } = context?.referred_product ?? {}
  if (!product && !catalog) return ''
  return product ? `Produto: ${product}` : `Produto do catálogo ${catalog}`
}

/** Returns the ad through which a contact came. */
export const adOf = (referral: Referral | undefined): AdSource | null =>
  referral
    ? {
        ...{ sourceId: referral.source_id ?? '', url: referral.source_url ?? '' },
        isPost: referral.source_type === 'post',
        ...{ headline: referral.headline ?? '', text: referral.body ?? '' },
        picture: referral.image_url ?? referral.thumbnail_url ?? null,
      }
    : null

const pressed = (body: string, buttonId = ''): Content => ({ type: 'interactive_reply', body, data: { buttonId } })

function interactiveOf(
  { button_reply: button, list_reply: row, nfm_reply: form, call_permission_reply: calls }: Interactive,
  phoneId: string,
): readonly Content[] {
  const reply = button ?? row
  if (reply?.title || reply?.id) return [pressed(reply.title ?? reply.id ?? '', reply.id)]
  if (calls?.response)
    return [pressed(calls.response === 'accept' ? 'Aceitou receber ligações' : 'Não aceitou receber ligações')]
  if (!form) return []
  const fields = fieldsOf(form.response_json)
  const text = fields.map(([name, value]) => `${name}: ${valueText(value)}`).join('\n')
  return [pressed(text || form.body || 'Formulário respondido'), ...filesIn(fields, phoneId)]
}

// Returns the fields of a contact's form, without its token.
function fieldsOf(json = '{}'): [string, unknown][] {
  try {
    const form = parseJson(json)
    const isForm = typeof form === 'object' && form !== null
    return isForm ? Object.entries(form).filter(([name]) => name !== 'flow_token') : []
  } catch {
    return []
  }
}

/** Maximum number of files of a form that are fetched. */
const MOST_FILES = 10

// Meta stores pictures and documents of a form like those of messages.
function filesIn(fields: readonly [string, unknown][], phoneId: string): Content[] {
  const given = fields.flatMap(([, value]) => [value].flat())
  return given
    .flatMap((one): Content[] => {
      if (typeof one !== 'object' || one === null || !('id' in one && 'file_name' in one && 'mime_type' in one))
        return []
      const { id, file_name: filename, mime_type: mime } = one
      if (typeof filename !== 'string' || typeof mime !== 'string') return []
      const type = FILES.find((kind) => mime.startsWith(`${kind}/`)) ?? 'document'
      return [...fileOf(type, { id: String(id), filename, mime_type: mime }, phoneId)]
    })
    .slice(0, MOST_FILES)
}

const orderOf = ({ text = '', product_items: items = [] }: Order): string =>
  orderText(
    text,
    items.map(({ product_retailer_id: name = '', quantity = 1, item_price: price, currency }) => ({
      ...{ name, quantity },
      ...(price === undefined ? {} : { price }),
      ...(currency === undefined ? {} : { currency }),
    })),
  )

function cardOf(card: Card): Content | null {
  const { name = {}, phones = [], emails = [], org = {}, addresses = [], urls = [], birthday, vcard } = card
  // The number with WhatsApp is preferred.
  const main = phones.find(({ wa_id }) => wa_id) ?? phones[0]
  const joined = (all: readonly (string | undefined)[], by: string) => all.filter(Boolean).join(by)
  const more = [
    ...phones.filter((one) => one !== main).map(({ phone, wa_id }) => phone ?? wa_id),
    ...emails.map(({ email }) => email),
    joined([org.company, org.department, org.title], ' · '),
    ...addresses.map(({ street, city, state, zip, country }) => joined([street, city, state, zip, country], ', ')),
    ...urls.map(({ url }) => url),
    birthday,
  ].flatMap((one) => one || [])
  const given = name.formatted_name ?? joined([name.first_name, name.last_name], ' ')
  const written = vcard === undefined ? null : sharedCard(given, vcard)
  if (phones.length === 0 && written) return { type: 'contact', body: written.fullName, data: written }
  const fullName = given || written?.fullName
  const wuid = main?.wa_id
  const data: ContactCard = {
    ...{ fullName: fullName || org.company || more[0] || '', phoneNumber: main?.phone ?? wuid ?? '' },
    ...(wuid ? { wuid } : {}),
    ...(more.length > 0 ? { more } : {}),
  }
  return data.fullName || data.phoneNumber ? { type: 'contact', body: data.fullName, data } : null
}

function fileOf(type: FileType, file: Media, phoneId: string): readonly Content[] {
  const { id: mediaId, caption = '', filename, mime_type: mime = '' } = file
  if (mediaId === undefined) return []
  const pointer: MediaPointer = { mediaId, phoneId }
  const ending = /^\w+\/([\w-]+)/.exec(mime)?.[1] ?? 'bin'
  return [{ type, body: caption, remote: { name: filename || `${NAMES[type]}.${ending}`, size: null, pointer } }]
}

const NAMES: Readonly<Record<FileType, string>> = {
  image: 'imagem',
  video: 'video',
  audio: 'audio',
  document: 'documento',
  sticker: 'figurinha',
}
