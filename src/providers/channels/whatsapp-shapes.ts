import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { flag, numberOrText, record, textOrNumber } from '#kit/outside-fields.ts'

/** Text that people read. */
const textValue = textOrNumber
const MOST_ID_LENGTH = 200
/** Schema of an external id, short enough for a key. */
export const outsideId = textOrNumber.refine((id) => id.length > 0 && id.length <= MOST_ID_LENGTH)
/** Schema of a size or duration within a usable range. */
const amount = numberOrText.refine((count) => count >= 0 && count <= 1e12)
/** Schema of a time (epoch seconds) within a valid range. */
const moment = numberOrText.refine((seconds) => seconds > 0 && seconds < 1e11)
const degrees = (most: number) => numberOrText.refine((one) => Math.abs(one) <= most)

const adReply = record({
  ...{ title: textValue, body: textValue, sourceType: z.string(), sourceId: textOrNumber, sourceUrl: z.string() },
  ...{ thumbnailUrl: z.string(), originalImageUrl: z.string(), ctwaClid: z.string() },
})

/** Schema of a message's context, beside its text. */
const context = record({
  ...{ stanzaId: outsideId, mentionedJid: z.array(z.string()), isForwarded: flag, expiration: numberOrText },
  ...{ externalAdReply: adReply, conversionSource: z.string(), entryPointConversionSource: z.string() },
})

const part = <T extends z.ZodRawShape>(shape: T) => record({ ...shape, contextInfo: context })

const file = part({
  ...{ caption: textValue, mimetype: z.string(), fileName: textValue, title: textValue, viewOnce: flag },
  ...{ fileLength: amount, seconds: amount, width: amount, height: amount },
  ...{ url: z.string(), directPath: z.string() },
})
const card = record({ displayName: textValue, vcard: z.string() })
const locationPart = part({
  ...{ degreesLatitude: degrees(90), degreesLongitude: degrees(180) },
  ...{ name: textValue, address: textValue, caption: textValue },
})
const poll = part({
  ...{ name: textValue, options: z.array(record({ optionName: textValue })), selectableOptionsCount: numberOrText },
})
const button = record({ id: textOrNumber, displayText: textValue })
const template = record({
  ...{ hydratedTitleText: textValue, hydratedContentText: textValue, hydratedFooterText: textValue },
  hydratedButtons: z.array(
    record({
      ...{ quickReplyButton: button, urlButton: record({ displayText: textValue, url: z.string() }) },
      callButton: record({ displayText: textValue, phoneNumber: textOrNumber }),
    }),
  ),
})
/** Schema of a message's key, as phones write it. */
const key = record({ id: outsideId, remoteJid: z.string(), participant: z.string(), fromMe: flag })

const fileKinds = {
  ...{ imageMessage: file, videoMessage: file, ptvMessage: file },
  ...{ audioMessage: file, documentMessage: file, stickerMessage: file },
}

/** Schemas of the supported kinds of messages, by the phone's field. */
const kinds = {
  ...fileKinds,
  conversation: textValue,
  extendedTextMessage: part({ text: textValue }),
  contactMessage: part({ displayName: textValue, vcard: z.string() }),
  contactsArrayMessage: part({ contacts: z.array(card) }),
  locationMessage: locationPart,
  liveLocationMessage: locationPart,
  ...{ pollCreationMessage: poll, pollCreationMessageV2: poll, pollCreationMessageV3: poll },
  pollCreationMessageV5: poll,
  pollUpdateMessage: part({ pollCreationMessageKey: key }),
  buttonsMessage: part({
    ...{ contentText: textValue, text: textValue, footerText: textValue },
    buttons: z.array(record({ buttonId: textOrNumber, buttonText: record({ displayText: textValue }) })),
  }),
  templateMessage: part({ hydratedTemplate: template, hydratedFourRowTemplate: template }),
  listMessage: part({
    ...{ title: textValue, description: textValue, buttonText: textValue, footerText: textValue },
    sections: z.array(
      record({
        title: textValue,
        rows: z.array(record({ rowId: textOrNumber, title: textValue, description: textValue })),
      }),
    ),
  }),
  interactiveMessage: part({
    ...{ header: record({ title: textValue }), body: record({ text: textValue }), footer: record({ text: textValue }) },
    nativeFlowMessage: record({ buttons: z.array(record({ buttonParamsJson: z.string() })) }),
  }),
  buttonsResponseMessage: part({ selectedButtonId: textOrNumber, selectedDisplayText: textValue }),
  templateButtonReplyMessage: part({ selectedId: textOrNumber, selectedDisplayText: textValue }),
  listResponseMessage: part({ title: textValue, singleSelectReply: record({ selectedRowId: textOrNumber }) }),
  interactiveResponseMessage: part({
    ...{ body: record({ text: textValue }), nativeFlowResponseMessage: record({ paramsJson: z.string() }) },
  }),
  groupInviteMessage: part({ groupName: textValue, inviteCode: z.string(), caption: textValue }),
  eventMessage: part({
    ...{ name: textValue, description: textValue, joinLink: z.string(), isCanceled: flag },
    ...{ startTime: moment, location: record({ name: textValue, address: textValue }) },
  }),
  orderMessage: part({
    ...{ orderTitle: textValue, itemCount: numberOrText, message: textValue },
    ...{ totalAmount1000: amount, totalCurrencyCode: z.string() },
  }),
  productMessage: part({
    body: textValue,
    product: record({ title: textValue, description: textValue, priceAmount1000: amount, currencyCode: z.string() }),
  }),
  questionResponseMessage: part({ text: textValue }),
  statusQuestionAnswerMessage: part({ text: textValue }),
}

const acts = {
  reactionMessage: record({ key, text: textValue, senderTimestampMs: numberOrText }),
  protocolMessage: record({ key, type: textOrNumber, timestampMs: numberOrText, editedMessage: z.looseObject({}) }),
}

const content = record({
  ...{ ...kinds, ...acts },
  messageContextInfo: record({ messageAssociation: record({ parentMessageKey: key }) }),
})

/** Content of a phone's message, with every value of its expected type. */
export type Content = z.output<typeof content>
/** Supported kinds of messages by their field. */
export type Kinds = { readonly [K in keyof typeof kinds]: z.output<(typeof kinds)[K]> }
/** Fields of a message that are files. */
export type FileField = keyof typeof fileKinds
export type FilePart = z.output<typeof file>
export type Context = z.output<typeof context>
export type AdReply = z.output<typeof adReply>

/** Reads a message of a phone, without its envelopes; never throws. */
export function readContent(given: unknown): { readonly content: Content; readonly wrong: readonly string[] } {
  const read = readOutside(content, given)
  return read ? { content: read.data, wrong: read.wrong } : { content: {}, wrong: given == null ? [] : ['message'] }
}

export { adReply as adReplyField, context as contextField }
