import type { AnyMessageContent, proto, WAMessage, WASocket } from 'baileys'
import { cardOf, locationOf, pollOf } from '#domain/messages/data.ts'
import { type Outbound, sendFailure } from '../port.ts'
import { jidOf } from '../whatsapp-addresses.ts'
import { vcardOf } from '../whatsapp-outbound.ts'
import { type Library, silent } from './library.ts'
import { secretOf } from './polls.ts'

/** Converts a message into the library's content; an unsupported kind fails as refused. */
export function contentOf({ messageId, type, body, data, isForwarded }: Outbound): AnyMessageContent {
  const context = isForwarded ? { contextInfo: { isForwarded: true, forwardingScore: 1 } } : {}
  const card = type === 'contact' ? cardOf(data) : null
  const location = type === 'location' ? locationOf(data) : null
  if (card) {
    const { fullName: displayName } = card
    return { contacts: { displayName, contacts: [{ displayName, vcard: vcardOf(card) }] }, ...context }
  }
  if (location) {
    const { latitude, longitude, name, address } = location
    const locationMessage = { degreesLatitude: latitude, degreesLongitude: longitude, name, address }
    return { location: locationMessage, ...context }
  }
  const poll = type === 'poll' ? pollOf(data) : null
  if (poll) {
    const { options, many } = poll
    const messageSecret = secretOf(messageId)
    return { poll: { name: body, values: [...options], selectableCount: many ? 0 : 1, messageSecret }, ...context }
  }
  if (type !== 'text') throw sendFailure('refused', 'ERR_CHANNEL_CANNOT')
  // Otherwise the library would fetch any URL in a text.
  return { text: body, linkPreview: null, ...context }
}

/** Returns the quoted message, as phones show it. */
export function quotedOf({ quoted, conversationKey }: Outbound): WAMessage | undefined {
  if (!quoted) return undefined
  const { providerId: id, fromMe, body, author } = quoted
  const participant = author ? { participant: jidOf(author) } : {}
  return { key: { remoteJid: jidOf(conversationKey), fromMe, id, ...participant }, message: { conversation: body } }
}

/** Rebuilds a sent message for a device that could not decrypt it; undefined if it cannot be rebuilt. */
export async function resentMessage(
  { generateWAMessage }: Library,
  message: Outbound,
  content: AnyMessageContent,
  { userJid, upload, lasts }: { userJid: string; upload: WASocket['waUploadToServer']; lasts: number },
): Promise<proto.IMessage | undefined> {
  const quoted = quotedOf(message)
  const timer = lasts > 0 ? { ephemeralExpiration: lasts } : {}
  const options = { userJid, upload, logger: silent, ...timer, ...(quoted ? { quoted } : {}) }
  const made = await generateWAMessage(jidOf(message.conversationKey), content, options)
  return made.message ?? undefined
}

/** Returns the server's reason for refusing a message, as a sentence. */
export const refusalOf = (code: string): string =>
  code === '463'
    ? 'O WhatsApp não deixa este número iniciar novas conversas por enquanto.'
    : `O WhatsApp recusou a mensagem (código ${code}).`
