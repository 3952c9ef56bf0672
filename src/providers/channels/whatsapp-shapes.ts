import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber } from '#kit/outside-fields.ts'

/** Text that people read. */
const words = textOrNumber
const MOST_ID_LENGTH = 200
/** An id of another system: short enough to be a key. */
export const outsideId = textOrNumber.refine((id) => id.length > 0 && id.length <= MOST_ID_LENGTH)
/** A size or duration that still can be counted with. */
const amount = numberOrText.refine((count) => count >= 0 && count <= 1e12)
const degrees = (most: number) => numberOrText.refine((one) => Math.abs(one) <= most)

const adReply = record({
  ...{ title: words, body: words, sourceType: z.string(), sourceId: textOrNumber, sourceUrl: z.string() },
  ...{ thumbnailUrl: z.string(), originalImageUrl: z.string(), ctwaClid: z.string() },
})

/** What goes with a message beside its words. */
const context = record({
  ...{ stanzaId: outsideId, mentionedJid: z.array(z.string()), isForwarded: flag, expiration: numberOrText },
  ...{ externalAdReply: adReply, conversionSource: z.string(), entryPointConversionSource: z.string() },
})

const part = <T extends z.ZodRawShape>(shape: T) => record({ ...shape, contextInfo: context })

const file = part({
  ...{ caption: words, mimetype: z.string(), fileName: words, title: words, viewOnce: flag },
  ...{ fileLength: amount, seconds: amount, width: amount, height: amount },
  ...{ url: z.string(), directPath: z.string() },
})
const card = record({ displayName: words, vcard: z.string() })
const place = part({
  ...{ degreesLatitude: degrees(90), degreesLongitude: degrees(180) },
  ...{ name: words, address: words, caption: words },
})
const poll = part({
  ...{ name: words, options: z.array(record({ optionName: words })), selectableOptionsCount: numberOrText },
})
const button = record({ id: textOrNumber, displayText: words })
const template = record({
  ...{ hydratedTitleText: words, hydratedContentText: words, hydratedFooterText: words },
  hydratedButtons: z.array(
    record({
      ...{ quickReplyButton: button, urlButton: record({ displayText: words, url: z.string() }) },
      callButton: record({ displayText: words, phoneNumber: textOrNumber }),
    }),
  ),
})
/** The name of a message, as phones write it. */
const key = record({ id: outsideId, remoteJid: z.string(), participant: z.string(), fromMe: flag })

const fileKinds = {
  ...{ imageMessage: file, videoMessage: file, ptvMessage: file },
  ...{ audioMessage: file, documentMessage: file, stickerMessage: file },
}

/** The kinds of messages that are read, by the field in which a phone writes them. */
const kinds = {
  ...fileKinds,
  conversation: words,
  extendedTextMessage: part({ text: words }),
  contactMessage: part({ displayName: words, vcard: z.string() }),
  contactsArrayMessage: part({ contacts: z.array(card) }),
  locationMessage: place,
  liveLocationMessage: place,
  ...{ pollCreationMessage: poll, pollCreationMessageV2: poll, pollCreationMessageV3: poll },
  pollCreationMessageV5: poll,
  pollUpdateMessage: part({ pollCreationMessageKey: key }),
  buttonsMessage: part({
    ...{ contentText: words, text: words, footerText: words },
    buttons: z.array(record({ buttonId: textOrNumber, buttonText: record({ displayText: words }) })),
  }),
  templateMessage: part({ hydratedTemplate: template, hydratedFourRowTemplate: template }),
  listMessage: part({
    ...{ title: words, description: words, buttonText: words, footerText: words },
    sections: z.array(
      record({ title: words, rows: z.array(record({ rowId: textOrNumber, title: words, description: words })) }),
    ),
  }),
  interactiveMessage: part({
    ...{ header: record({ title: words }), body: record({ text: words }), footer: record({ text: words }) },
    nativeFlowMessage: record({ buttons: z.array(record({ buttonParamsJson: z.string() })) }),
  }),
  buttonsResponseMessage: part({ selectedButtonId: textOrNumber, selectedDisplayText: words }),
  templateButtonReplyMessage: part({ selectedId: textOrNumber, selectedDisplayText: words }),
  listResponseMessage: part({ title: words, singleSelectReply: record({ selectedRowId: textOrNumber }) }),
  interactiveResponseMessage: part({
    ...{ body: record({ text: words }), nativeFlowResponseMessage: record({ paramsJson: z.string() }) },
  }),
  groupInviteMessage: part({ groupName: words, inviteCode: z.string(), caption: words }),
  eventMessage: part({ name: words, description: words, joinLink: z.string() }),
  orderMessage: part({
    ...{ orderTitle: words, itemCount: numberOrText, message: words },
    ...{ totalAmount1000: amount, totalCurrencyCode: z.string() },
  }),
  productMessage: part({
    body: words,
    product: record({ title: words, description: words, priceAmount1000: amount, currencyCode: z.string() }),
  }),
  questionResponseMessage: part({ text: words }),
  statusQuestionAnswerMessage: part({ text: words }),
}

const acts = {
  reactionMessage: record({ key, text: words, senderTimestampMs: numberOrText }),
  protocolMessage: record({
    ...{ key, type: textOrNumber, timestampMs: numberOrText, editedMessage: z.looseObject({}) },
  }),
}

const content = record({
  ...{ ...kinds, ...acts },
  messageContextInfo: record({ messageAssociation: record({ parentMessageKey: key }) }),
})

/** What a phone writes into a message, every value of the type that it should have. */
export type Content = z.output<typeof content>
/** Each kind that is read, by its field. */
export type Kinds = { readonly [K in keyof typeof kinds]: z.output<(typeof kinds)[K]> }
/** The parts of a message that are files. */
export type FileField = keyof typeof fileKinds
export type FilePart = z.output<typeof file>
export type Context = z.output<typeof context>
export type AdReply = z.output<typeof adReply>

/** Reads what a phone wrote into a message, taken out of its envelopes; never throws. */
export function readContent(given: unknown): { readonly content: Content; readonly wrong: readonly string[] } {
  const read = readOutside(content, given)
  return read ? { content: read.data, wrong: read.wrong } : { content: {}, wrong: given == null ? [] : ['message'] }
}

export { adReply as adReplyField, context as contextField }
