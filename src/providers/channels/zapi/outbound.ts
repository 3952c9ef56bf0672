import { buffer } from 'node:stream/consumers'
import { cardOf, locationOf } from '#domain/messages/data.ts'
import { partBefore } from '#domain/present.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import { addressed } from '../whatsapp-outbound.ts'
import { phoneOf } from './phones.ts'

/** Call that sends a message: `POST {path}`. */
type Sending = { readonly path: string; readonly json: object }

/**
 * Builds the call that sends a message, with its file as a data URI; `everyone`: digits of a group's members, if all are
 * mentioned. An unsupported kind fails as refused.
 */
export async function sendingOf(
  message: Outbound,
  { readFile }: Pick<ChannelTools, 'readFile'>,
  everyone: readonly string[],
): Promise<Sending> {
  const { type, data, file, conversationKey, quoted } = message
  const { text, jids } = addressed(message)
  const mentioned = [...new Set([...jids.map((jid) => partBefore(jid, '@')), ...everyone])]
  const common = {
    phone: phoneOf(conversationKey),
    ...(quoted ? { messageId: quoted.providerId } : {}),
    ...(mentioned.length > 0 ? { mentioned } : {}),
  }
  const caption = text ? { caption: text } : {}
  if (file) {
    const as = `data:${file.mime};base64,${(await buffer(readFile(file.path))).toString('base64')}`
    if (type === 'image') return { path: 'send-image', json: { ...common, image: as, ...caption } }
    if (type === 'video') return { path: 'send-video', json: { ...common, video: as, ...caption } }
    if (type === 'sticker') return { path: 'send-sticker', json: { ...common, sticker: as } }
    if (type === 'audio')
      return { path: 'send-audio', json: { ...common, audio: as, waveform: file.waveform !== null } }
    if (type !== 'document') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
    const ending = /\.(\w{1,8})$/.exec(file.name)?.[1] ?? 'bin'
    return { path: `send-document/${ending}`, json: { ...common, document: as, fileName: file.name, ...caption } }
  }
  const [card, location] = [cardOf(data), locationOf(data)]
  if (type === 'contact' && card)
    return { path: 'send-contact', json: { ...common, contactName: card.fullName, contactPhone: card.phoneNumber } }
  if (type === 'location' && location) {
    const { latitude, longitude, name = '', address = '' } = location
    return { path: 'send-location', json: { ...common, title: name, address, latitude, longitude } }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  return { path: 'send-text', json: { ...common, message: text } }
}
