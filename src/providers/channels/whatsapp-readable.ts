import { isRecord } from '#domain/keys.ts'
import type { MessageData } from '#domain/messages/data.ts'
import { parseJson } from '#kit/outside.ts'
import { textOrNumber } from '#kit/outside-fields.ts'
import { sharedCard } from './shared-card.ts'
import type { Content, Kinds } from './whatsapp-shapes.ts'

/** Text of a message, with the data of supported kinds. */
export type Readable = {
  readonly type: 'text' | 'contact' | 'location' | 'buttons' | 'interactive_reply' | 'poll'
  readonly body: string
  readonly data?: MessageData
}

type Button = { readonly id: string; readonly text: string }
type Given = string | null | undefined

const joined = (...all: readonly Given[]): string => all.filter(Boolean).join('\n')
const bullets = (all: readonly Given[]): string[] => all.flatMap((one) => (one ? [`• ${one}`] : []))
const text = (...all: readonly Given[]): Readable => ({ type: 'text', body: joined(...all) })

const withButtons = (body: string, given: readonly { id: Given; text: Given }[], footer: Given): Readable => {
  const buttons = given.flatMap(({ id, text: shown }): Button[] => (shown ? [{ id: id ?? shown, text: shown }] : []))
  if (buttons.length === 0) return text(body, footer)
  return { type: 'buttons', body, data: { buttons, ...(footer ? { footer } : {}) } }
}

const pressed = (buttonId: Given, shown: Given): Readable => ({
  ...{ type: 'interactive_reply', body: shown || buttonId || 'Resposta' },
  data: { buttonId: buttonId ?? '' },
})

/** Returns a text or number of a flow's JSON as text; undefined if there is none. */
function named(json: Given, name: string): string | undefined {
  try {
    const read = parseJson(json ?? '')
    const found = isRecord(read) ? read[name] : undefined
    return textOrNumber.safeParse(found).data
  } catch {
    return undefined
  }
}

function locationOf(location: Kinds['locationMessage'], isLive: boolean): Readable | null {
  const { degreesLatitude: latitude, degreesLongitude: longitude, name, address, caption } = location
  if (latitude === undefined || longitude === undefined) return null
  const given = isLive ? joined('Localização em tempo real', caption) : (name ?? address ?? '')
  const data = { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
  return { type: 'location', body: given, data }
}

const money = (amount1000: number | undefined, currency: Given): string | undefined =>
  amount1000 && /^[A-Z]{3}$/.test(currency ?? '')
    ? (amount1000 / 1000).toLocaleString('pt-BR', { style: 'currency', currency: currency! })
    : undefined

function pollOf({ name = '', options: given, selectableOptionsCount }: Kinds['pollCreationMessage']): Readable | null {
  const options = (given ?? []).flatMap(({ optionName }) => optionName ?? [])
  if (name === '' && options.length === 0) return null
  return { type: 'poll', body: name, data: { poll: { options, many: selectableOptionsCount !== 1 } } }
}

function contactOf({ displayName, vcard }: Pick<Kinds['contactMessage'], 'displayName' | 'vcard'>): Readable | null {
  const data = sharedCard(displayName, vcard)
  return data && { type: 'contact', body: data.fullName, data }
}

/** Returns the start of an event (epoch seconds) as text in Brasília time, because phones send no time zone. */
const eventTime = (seconds: number | undefined): string | null =>
  seconds
    ? `Quando: ${new Date(seconds * 1000).toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'short' })} (horário de Brasília)`
    : null

/** Readers of each kind without a file. */
const readers: { readonly [K in keyof Kinds]?: (part: Kinds[K]) => Readable | null } = {
  conversation: (body) => ({ type: 'text', body }),
  extendedTextMessage: ({ text: body }) => ({ type: 'text', body: body ?? '' }),
  contactMessage: contactOf,
  contactsArrayMessage: ({ contacts }) => {
    const [only, ...others] = contacts ?? []
    if (only && others.length === 0) return contactOf(only)
    const cards = (contacts ?? []).flatMap((card) => sharedCard(card.displayName, card.vcard) ?? [])
    return text(
      ...cards.map(({ fullName, phoneNumber, more = [] }) =>
        [fullName, [phoneNumber, ...more].filter(Boolean).join(', ')].filter(Boolean).join(': '),
      ),
    )
  },
  locationMessage: (location) => locationOf(location, false),
  liveLocationMessage: (location) => locationOf(location, true),
  ...{ pollCreationMessage: pollOf, pollCreationMessageV2: pollOf, pollCreationMessageV3: pollOf },
  pollCreationMessageV5: pollOf,
  pollUpdateMessage: () => text('Votou na enquete. Veja no celular.'),
  buttonsMessage: ({ contentText, text: header, footerText, buttons }) =>
    withButtons(
      joined(header, contentText),
      (buttons ?? []).map(({ buttonId, buttonText }) => ({ id: buttonId, text: buttonText?.displayText })),
      footerText,
    ),
  templateMessage: ({ hydratedTemplate, hydratedFourRowTemplate }) => {
    const whole = hydratedTemplate ?? hydratedFourRowTemplate
    if (!whole) return null
    const { hydratedTitleText, hydratedContentText, hydratedFooterText, hydratedButtons } = whole
    const given = (hydratedButtons ?? []).map(({ quickReplyButton: quick, urlButton: link, callButton: call }) => ({
      id: quick?.id ?? link?.url ?? call?.phoneNumber,
      text: quick?.displayText ?? link?.displayText ?? call?.displayText,
    }))
    return withButtons(joined(hydratedTitleText, hydratedContentText), given, hydratedFooterText)
  },
  listMessage: ({ title, description, buttonText, footerText, sections }) =>
    text(
      title,
      description,
      buttonText,
      ...(sections ?? []).flatMap((section) => [
        section.title,
        ...bullets((section.rows ?? []).map((row) => [row.title, row.description].filter(Boolean).join(': '))),
      ]),
      footerText,
    ),
  interactiveMessage: ({ header, body, footer, nativeFlowMessage }) =>
    withButtons(
      joined(header?.title, body?.text),
      (nativeFlowMessage?.buttons ?? []).map(({ buttonParamsJson: json }) => ({
        ...{ id: named(json, 'id'), text: named(json, 'display_text') ?? named(json, 'title') },
      })),
      footer?.text,
    ),
  buttonsResponseMessage: ({ selectedButtonId, selectedDisplayText }) => pressed(selectedButtonId, selectedDisplayText),
  templateButtonReplyMessage: ({ selectedId, selectedDisplayText }) => pressed(selectedId, selectedDisplayText),
  listResponseMessage: ({ title, singleSelectReply }) => pressed(singleSelectReply?.selectedRowId, title),
  interactiveResponseMessage: ({ body, nativeFlowResponseMessage: flow }) =>
    pressed(named(flow?.paramsJson, 'id'), body?.text),
  groupInviteMessage: ({ groupName, inviteCode, caption }) =>
    text(
      `Convite para o grupo ${groupName ?? ''}`.trim(),
      inviteCode && `https://chat.whatsapp.com/${inviteCode}`,
      caption,
    ),
  eventMessage: ({ name, description, joinLink, startTime, location, isCanceled }) =>
    text(
      `${isCanceled ? 'Evento cancelado' : 'Evento'}: ${name ?? ''}`,
      eventTime(startTime),
      location?.name,
      location?.address,
      description,
      joinLink,
    ),
  orderMessage: ({ orderTitle, itemCount, message, totalAmount1000, totalCurrencyCode }) =>
    text(
      `Pedido: ${orderTitle ?? ''}`.trim(),
      itemCount ? `${itemCount} ${itemCount === 1 ? 'item' : 'itens'}` : null,
      money(totalAmount1000, totalCurrencyCode),
      message,
    ),
  productMessage: ({ product, body }) =>
    text(
      `Produto: ${product?.title ?? ''}`.trim(),
      money(product?.priceAmount1000, product?.currencyCode),
      product?.description,
      body,
    ),
  questionResponseMessage: ({ text: body }) => text(body),
  statusQuestionAnswerMessage: ({ text: body }) => text(body),
}

/** Converts a message without a file into readable text; null if it is of an unsupported kind or empty. */
export function readableOf(content: Content): Readable | null {
  for (const [kind, read] of Object.entries(readers)) {
    const part = content[kind]
    if (part === undefined) continue
    const readable = (read as (part: unknown) => Readable | null)(part)
    return readable?.type === 'text' && readable.body === '' ? null : readable
  }
  return null
}
