import { createHash } from 'node:crypto'
import type { ContactCard } from '#domain/messages/data.ts'
import { withAddresses } from '#domain/messages/group-mentions.ts'
import type { Outbound } from './port.ts'
import { jidOf } from './whatsapp-addresses.ts'

/** Returns the WhatsApp id of a message, constant over repeated sends, so that a phone shows it once. */
export const idOf = (messageId: string): string =>
  `3EB0${createHash('sha256').update(messageId).digest('hex').slice(0, 18).toUpperCase()}`

/** Converts a contact card into the vCard that phones write. */
export function vcardOf(card: ContactCard): string {
  const digits = card.wuid ?? card.phoneNumber.replace(/\D/g, '')
  const [name, phone] = [card.fullName, card.phoneNumber].map((text) => text.replace(/[\\;,\r\n]/g, ' '))
  return ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `TEL;type=CELL;waid=${digits}:${phone}`, 'END:VCARD'].join('\n')
}

/** Returns the conversation in the form of gateways: digits, or the address of a group. */
export const phoneOf = (conversationKey: string): string =>
  conversationKey.includes('@') ? conversationKey : conversationKey.replace(/\D/g, '')

/** Replaces the names of mentioned members in a text by their addresses; returns both. */
export function addressed({ body, mentions }: Pick<Outbound, 'body' | 'mentions'>): { text: string; jids: string[] } {
  const people = mentions?.people ?? []
  return { text: withAddresses(body, people), jids: people.map(({ identity }) => jidOf(identity)) }
}
