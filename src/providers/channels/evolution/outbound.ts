import { buffer } from 'node:stream/consumers'
import { cardOf, locationOf } from '#domain/messages/data.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import { jidOf } from '../whatsapp-addresses.ts'
import { addressed, phoneOf } from '../whatsapp-outbound.ts'

/** Call that sends a message: `POST /message/{action}/{instance}`. */
type Sending = { readonly action: string; readonly json: object }

/** Builds the call that sends a message, with its file in base64; an unsupported kind fails as refused. */
export async function sendingOf(message: Outbound, tools: Pick<ChannelTools, 'readFile'>): Promise<Sending> {
  const { type, data, file } = message
  const common = { number: phoneOf(message.conversationKey), ...quoteOf(message), ...mentionsOf(message) }
  const { text: body } = addressed(message)
  if (file) return sendingOfFile(message, file, common, (await buffer(tools.readFile(file.path))).toString('base64'))
  const [card, location] = [cardOf(data), locationOf(data)]
  if (type === 'contact' && card) {
    const wuid = card.wuid ?? card.phoneNumber.replace(/\D/g, '')
    const contact = [{ fullName: card.fullName, wuid, phoneNumber: card.phoneNumber }]
    return { action: 'sendContact', json: { ...common, contact } }
  }
  if (type === 'location' && location) {
    const { latitude, longitude, name = '', address = '' } = location
    return { action: 'sendLocation', json: { ...common, name, address, latitude, longitude } }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  // Otherwise it would fetch any URL in a text.
  return { action: 'sendText', json: { ...common, text: body, linkPreview: false } }
}

function sendingOfFile(
  message: Outbound,
  { name, mime, waveform }: NonNullable<Outbound['file']>,
  common: object,
  bytes: string,
): Sending {
  const { type } = message
  const { text: body } = addressed(message)
  if (type === 'sticker') return { action: 'sendSticker', json: { ...common, sticker: bytes } }
  // A voice note already has the required format.
  if (type === 'audio' && waveform)
    return { action: 'sendWhatsAppAudio', json: { ...common, audio: bytes, encoding: false } }
  if (!['image', 'video', 'audio', 'document'].includes(type)) throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  const about = { mediatype: type, mimetype: mime, fileName: name, ...(body ? { caption: body } : {}) }
  return { action: 'sendMedia', json: { ...common, ...about, media: bytes } }
}

function mentionsOf(message: Outbound): object {
  const { jids: mentioned } = addressed(message)
  return {
    ...(mentioned.length > 0 ? { mentioned } : {}),
    ...(message.mentions?.everyone ? { mentionsEveryOne: true } : {}),
  }
}

function quoteOf({ quoted, conversationKey }: Outbound): object {
  if (!quoted) return {}
  const { providerId: id, fromMe, author, body } = quoted
  const participant = author ? { participant: jidOf(author) } : {}
  const key = { id, remoteJid: jidOf(conversationKey), fromMe, ...participant }
  return { quoted: { key, message: { conversation: body } } }
}
