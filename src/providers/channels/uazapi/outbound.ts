import { buffer } from 'node:stream/consumers'
import { cardOf, locationOf } from '#domain/messages/data.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import { addressed, phoneOf } from '../whatsapp-outbound.ts'

/** Call that sends a message: `POST /send/{path}`. */
type Sending = { readonly path: string; readonly json: object }

/** Builds the call that sends a message, with its file in base64; an unsupported kind fails as refused. */
export async function sendingOf(message: Outbound, { readFile }: Pick<ChannelTools, 'readFile'>): Promise<Sending> {
  const { type, data, file, conversationKey, messageId, quoted, isForwarded, mentions } = message
  const { text, jids } = addressed(message)
  const mentioned = mentions?.everyone ? 'all' : jids.map((jid) => jid.split('@')[0]).join(',')
  const common = {
    ...{ number: phoneOf(conversationKey), track_source: 'guiche', track_id: messageId },
    ...(quoted ? { replyid: quoted.providerId } : {}),
    ...(mentioned ? { mentions: mentioned } : {}),
    ...(isForwarded ? { forward: true } : {}),
  }
  if (file) {
    if (!['image', 'video', 'audio', 'document', 'sticker'].includes(type))
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    const about = type === 'document' ? { docName: file.name } : {}
    const as = type === 'audio' && file.waveform ? 'ptt' : type
    const bytes = (await buffer(readFile(file.path))).toString('base64')
    return { path: 'media', json: { ...common, type: as, file: bytes, mimetype: file.mime, text, ...about } }
  }
  const [card, location] = [cardOf(data), locationOf(data)]
  if (type === 'contact' && card) {
    const { fullName, phoneNumber } = card
    return { path: 'contact', json: { ...common, fullName, phoneNumber } }
  }
  if (type === 'location' && location) {
    const { latitude, longitude, name = '', address = '' } = location
    return { path: 'location', json: { ...common, latitude, longitude, name, address } }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  return { path: 'text', json: { ...common, text, linkPreview: false } }
}
