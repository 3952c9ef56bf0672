import type { proto } from 'baileys'
import { textFieldIn } from '#domain/keys.ts'
import { cardOf, locationOf, type MessageData } from '#domain/messages/data.ts'
import type { MessageType } from '#domain/messages/types.ts'
import type { LabMessageRow } from './rows.ts'
import type { FileField } from './whatsapp/phone-media.ts'
import { unwrapped } from './whatsapp/unwrapped.ts'

/** Convert between a virtual phone's message id and its id at the local WhatsApp. */
export const channelId = (id: string): string => `3A${id.replaceAll('-', '').toUpperCase()}`
export const ofChannelId = (name: string): string | null =>
  /^3A[0-9A-F]{32}$/.test(name)
    ? name
        .slice(2)
        .toLowerCase()
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : null

const FIELDS: Readonly<Record<string, FileField>> = {
  image: 'imageMessage',
  video: 'videoMessage',
  audio: 'audioMessage',
  sticker: 'stickerMessage',
}

/** Returns the message field of a row's file, and its metadata there. */
export function fileOf(row: LabMessageRow): { field: FileField; about: object } {
  const field = FIELDS[row.media_type] ?? 'documentMessage'
  const seconds = row.file_duration_ms === null ? {} : { seconds: Math.round(row.file_duration_ms / 1000) }
  const about = {
    imageMessage: { caption: row.body, width: row.file_width, height: row.file_height },
    videoMessage: { caption: row.body, ...seconds },
    audioMessage: { ptt: true, ...seconds },
    stickerMessage: {},
    documentMessage: { caption: row.body, fileName: row.file_name, title: row.file_name },
  }[field]
  return { field, about: { ...about, mimetype: row.file_mime } }
}

const vcard = (name: string, number: string) =>
  `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL:${number}\nEND:VCARD`

/** Converts a row without a file into a phone's message; `contextInfo`: quote and forwarding. */
export function messageOf(row: LabMessageRow, contextInfo: proto.IContextInfo): proto.IMessage {
  const card = row.media_type === 'contact' ? cardOf(row.data) : null
  if (card)
    return {
      contactMessage: { displayName: card.fullName, vcard: vcard(card.fullName, card.phoneNumber), contextInfo },
    }
  const spot = row.media_type === 'location' ? locationOf(row.data) : null
  if (spot)
    return {
      locationMessage: {
        ...{ degreesLatitude: spot.latitude, degreesLongitude: spot.longitude },
        ...{ name: spot.name ?? '', address: spot.address ?? '', contextInfo },
      },
    }
  return { extendedTextMessage: { text: row.body, contextInfo } }
}

/** Converts a message of the team into what the phone shows; null if it is no message with content. */
export function shownAs(message: proto.IMessage): {
  type: MessageType
  body: string
  data: MessageData | null
  quotes: string | null
  /** Addresses of the mentioned people. */
  mentioned: readonly string[]
  isForwarded: boolean
} | null {
  const { conversation, extendedTextMessage: text, contactMessage: card, locationMessage: spot } = message
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3
  const whole = unwrapped(message)
  const { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage } = whole
  const file = imageMessage ?? videoMessage ?? audioMessage ?? documentMessage ?? stickerMessage
  const context = (file ?? text ?? card ?? spot ?? poll)?.contextInfo
  const about = {
    quotes: context?.stanzaId ?? null,
    mentioned: context?.mentionedJid ?? [],
    isForwarded: context?.isForwarded ?? false,
  }
  if (card) {
    const phoneNumber = /^TEL[^:\r\n\u2028\u2029]*:(.*)$/m.exec(card.vcard ?? '')?.[1] ?? ''
    const fullName = card.displayName ?? ''
    return { ...about, type: 'contact', body: fullName, data: { fullName, phoneNumber } }
  }
  if (spot) {
    const at = { latitude: spot.degreesLatitude ?? 0, longitude: spot.degreesLongitude ?? 0 }
    return { ...about, type: 'location', body: spot.name ?? '', data: { ...at, name: spot.name ?? '' } }
  }
  if (poll) {
    const options = (poll.options ?? []).flatMap(({ optionName }) => optionName ?? [])
    const data = { poll: { options, many: poll.selectableOptionsCount !== 1 } }
    return { ...about, type: 'poll', body: poll.name ?? '', data }
  }
  const kinds = { imageMessage, videoMessage, audioMessage, documentMessage, stickerMessage }
  const kind = Object.entries(kinds).find(([, part]) => part)?.[0]
  const body = file ? textFieldIn(file, 'caption') : (conversation ?? text?.text)
  if (typeof body !== 'string') return null
  return { ...about, type: (kind?.replace('Message', '') ?? 'text') as MessageType, body, data: null }
}
