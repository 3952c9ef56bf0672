import { buffer } from 'node:stream/consumers'
import { cardOf, locationOf } from '#domain/messages/data.ts'
import { partBefore } from '#domain/present.ts'
import { type ChannelTools, type Outbound, sendFailure } from '../port.ts'
import { jidOf } from '../whatsapp-addresses.ts'
import { addressed, idOf, phoneOf, vcardOf } from '../whatsapp-outbound.ts'

/** Call that sends a message: `POST /chat/send/{path}`. */
type Sending = { readonly path: string; readonly json: object }

/**
 * Builds the call that sends a message, with its file as a data URI; `everyone`: JIDs of a group's members, if all are
 * mentioned. An unsupported kind fails as refused.
 */
export async function sendingOf(
  message: Outbound,
  tools: Pick<ChannelTools, 'readFile'>,
  everyone: readonly string[],
): Promise<Sending> {
  const { type, data, file, conversationKey, messageId } = message
  const { text, jids } = addressed(message)
  const context = contextOf(message, [...new Set([...jids, ...everyone])])
  const common = { Phone: phoneOf(conversationKey), Id: idOf(messageId), ...context }
  if (file) return sendingOfFile(type, text, file, common, (await buffer(tools.readFile(file.path))).toString('base64'))
  const [card, location] = [cardOf(data), locationOf(data)]
  if (type === 'contact' && card)
    return { path: 'contact', json: { ...common, Name: card.fullName, Vcard: vcardOf(card) } }
  if (type === 'location' && location) {
    const { latitude: Latitude, longitude: Longitude, name: Name = '' } = location
    return { path: 'location', json: { ...common, Latitude, Longitude, Name } }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  return { path: 'text', json: { ...common, Body: text } }
}

function sendingOfFile(
  type: string,
  text: string,
  { name, mime, waveform }: NonNullable<Outbound['file']>,
  common: object,
  base64: string,
): Sending {
  const caption = text ? { Caption: text } : {}
  const as = (kind: string) => `data:${kind};base64,${base64}`
  switch (type) {
    case 'image':
      return { path: 'image', json: { ...common, ...caption, Image: as(mime) } }
    case 'video':
      return { path: 'video', json: { ...common, ...caption, Video: as(mime) } }
    // Older builds do not accept documents with their own MIME type.
    case 'document':
      return {
        path: 'document',
        json: { ...common, ...caption, FileName: name, MimeType: mime, Document: as('application/octet-stream') },
      }
    case 'sticker':
      return { path: 'sticker', json: { ...common, Sticker: as(mime) } }
    case 'audio': {
      const kind = waveform ? 'audio/ogg; codecs=opus' : mime
      return {
        path: 'audio',
        json: { ...common, Audio: as(partBefore(kind, ';')), MimeType: kind, PTT: waveform !== null },
      }
    }
    default:
      throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  }
}

function contextOf({ quoted, conversationKey }: Outbound, mentioned: readonly string[]): object {
  if (!quoted && mentioned.length === 0) return {}
  const answers = quoted && {
    StanzaId: quoted.providerId,
    Participant: jidOf(quoted.author ?? conversationKey),
  }
  return { ContextInfo: { ...answers, ...(mentioned.length > 0 ? { MentionedJID: mentioned } : {}) } }
}
