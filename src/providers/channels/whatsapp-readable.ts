import type { proto } from 'baileys'
import type { MessageData } from '#domain/messages/data.ts'

/** A message in words, with the data of those kinds that have a form here. */
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

/** What a JSON of a flow says under a name; nothing where it is none. */
function named(json: Given, name: string): string | undefined {
  try {
    const found = (JSON.parse(json ?? '') as Record<string, unknown>)[name]
    return typeof found === 'string' ? found : undefined
  } catch {
    return undefined
  }
}

function cardOf({ displayName, vcard }: proto.Message.IContactMessage) {
  const [, about = '', phone = ''] = /^(?:item\d+\.)?TEL([^:\n]*):(.*)$/m.exec(vcard ?? '') ?? []
  const wuid = /waid=(\d+)/.exec(about)?.[1]
  return { fullName: displayName ?? '', phoneNumber: phone.trim(), ...(wuid ? { wuid } : {}) }
}

function locationOf(
  location: proto.Message.ILocationMessage & proto.Message.ILiveLocationMessage,
  isLive: boolean,
): Readable {
  const { degreesLatitude, degreesLongitude, name, address, caption } = location
  const given = isLive ? joined('Localização em tempo real', caption) : (name ?? address ?? '')
  const data = {
    ...{ latitude: degreesLatitude ?? 0, longitude: degreesLongitude ?? 0 },
    ...(name ? { name } : {}),
    ...(address ? { address } : {}),
  }
  return { type: 'location', body: given, data }
}

const money = (amount1000: unknown, currency: Given): string | undefined =>
  amount1000 && currency
    ? (Number(amount1000) / 1000).toLocaleString('pt-BR', { style: 'currency', currency })
    : undefined

/** How each kind without a file is read. */
const readers: { readonly [K in keyof proto.IMessage]?: (part: NonNullable<proto.IMessage[K]>) => Readable | null } = {
  conversation: (body) => ({ type: 'text', body }),
  extendedTextMessage: ({ text: body }) => ({ type: 'text', body: body ?? '' }),
  contactMessage: (card) => {
    const data = cardOf(card)
    return { type: 'contact', body: data.fullName, data }
  },
  contactsArrayMessage: ({ contacts }) => {
    const cards = (contacts ?? []).map(cardOf)
    const [only] = cards
    return cards.length === 1
      ? { type: 'contact', body: only!.fullName, data: only! }
      : text(...cards.map(({ fullName, phoneNumber }) => `${fullName}: ${phoneNumber}`))
  },
  locationMessage: (location) => locationOf(location, false),
  liveLocationMessage: (location) => locationOf(location, true),
  ...Object.fromEntries(
    ['pollCreationMessage', 'pollCreationMessageV2', 'pollCreationMessageV3'].map((kind) => [
      kind,
      ({ name, options, selectableOptionsCount }: proto.Message.IPollCreationMessage): Readable => ({
        ...{ type: 'poll', body: name ?? '' },
        data: {
          poll: {
            options: (options ?? []).flatMap(({ optionName }) => optionName ?? []),
            many: selectableOptionsCount !== 1,
          },
        },
      }),
    ]),
  ),
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
  eventMessage: ({ name, description, joinLink }) => text(`Evento: ${name ?? ''}`, description, joinLink),
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
}

/** A message without a file as people read it; null for one of a kind that cannot be read here. */
export function readableOf(content: proto.IMessage): Readable | null {
  for (const [kind, read] of Object.entries(readers)) {
    const part = content[kind as keyof proto.IMessage]
    if (part !== null && part !== undefined) return (read as (part: unknown) => Readable | null)(part)
  }
  return null
}
