import { readCard } from '#domain/contacts/vcard.ts'
import type { ContactCard } from '#domain/messages/data.ts'

/**
 * Parses a vCard from a message, under the name that its sender sees: the number with WhatsApp (`waid`) first, other
 * numbers, addresses and notes in `more`. Returns null without a name and a number.
 */
export function sharedCard(displayName = '', vcard = '', phones: readonly string[] = []): ContactCard | null {
  const properties = vcard.split(/\r\n|\r|\n/)
  const { name, number, email, businessName, birthdayDate, more } = readCard(properties)
  const [about = '', value = ''] =
    properties.map(parted).find(([start]) => /^(?:[\w-]+\.)?TEL\b.*waid=/i.test(start)) ?? []
  const [, wuid] = /waid=(\d+)/i.exec(about) ?? []
  const fullName = displayName || name
  const phoneNumber = value.trim() || number || (phones[0] ?? '')
  const known = new Set([fullName, phoneNumber, ...(wuid ? [wuid] : [])])
  const others = [...new Set([number, ...Object.values(more), ...phones, email, businessName, birthdayDate])]
  const rest = others.filter((one) => one !== '' && !known.has(one))
  if (!fullName && !phoneNumber && rest.length === 0) return null
  return {
    ...{ fullName: fullName || businessName || rest[0] || '', phoneNumber },
    ...(wuid ? { wuid } : {}),
    ...(rest.length > 0 ? { more: rest } : {}),
  }
}

function parted(property: string): readonly [string, string] {
  const at = property.indexOf(':')
  return at < 0 ? [property, ''] : [property.slice(0, at), property.slice(at + 1)]
}
