import iconv from 'iconv-lite'
import type { Address, Email } from 'postal-mime'
import { firstOf } from '#domain/present.ts'

const PEOPLE = ['from', 'sender', 'replyTo', 'to', 'cc'] as const
const TEXTS = ['text', 'html', 'subject'] as const
const BROKEN = /\uFFFD/
/** Maximum number of characters that are searched for declared charsets. */
const MOST_LOOKED = 2_000_000
const DECLARED = /charset\s{0,3}=\s{0,3}["']?([\w.:-]{1,40})|=\?([\w.:-]{1,40})\?[bq]\?/gi
/** Charsets that browsers and mail parsers do not support: DOS code pages, and UTF-7. */
const LEGACY =
  /^(?:cp|ibm|dos)-?0*(437|737|775|850|852|855|857|858|860|861|862|863|864|865|869)$|^(?:x-)?(?:unicode-1-1-)?(utf-?7)$/

/** Returns a mail with every text changed: body, names of people and of files. */
const withTexts = (email: Email, change: (text: string) => string): Email => {
  const named = (one: Address): Address => {
    const { name, group } = one
    return { ...one, ...(name ? { name: change(name) } : {}), ...(group ? { group: group.map(named) } : {}) } as Address
  }
  const texts = TEXTS.flatMap((field) => (email[field] ? [[field, change(email[field])] as const] : []))
  const people = PEOPLE.flatMap((field) => {
    const given = email[field]
    return given ? [[field, Array.isArray(given) ? given.map(named) : named(given)] as const] : []
  })
  const attachments = email.attachments.map((one) => ({ ...one, filename: one.filename && change(one.filename) }))
  return { ...email, ...Object.fromEntries([...texts, ...people]), attachments }
}

/** Whether a mail has undecodable characters in its body, its people's names or its files' names. */
export const isBroken = (email: Email): boolean =>
  [...TEXTS, ...PEOPLE].some((field) => isBrokenIn(email[field])) ||
  email.attachments.some(({ filename }) => isBrokenIn(filename))

const isBrokenIn = (value: unknown): boolean =>
  BROKEN.test(typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Returns a mail whose undecodable texts are replaced by those of another parse. */
export function repaired(email: Email, other: Email): Email {
  const fields = [...TEXTS, ...PEOPLE].filter((field) => isBrokenIn(email[field]))
  const attachments = email.attachments.map((one, n) => {
    const better = isBrokenIn(one.filename) ? other.attachments[n]?.filename : undefined
    return better ? { ...one, filename: better } : one
  })
  return { ...email, ...Object.fromEntries(fields.map((field) => [field, other[field]])), attachments }
}

/**
 * Re-decodes a mail in a charset that the parser does not support: a single declared legacy charset, or Japanese escape
 * sequences without a declaration.
 */
export function inItsEncoding(email: Email, source: Uint8Array): Email {
  const legacy = legacyIn(source)
  if (legacy) return withTexts(email, (text) => iconv.decode(bytesOf(text), legacy))
  const isJapanese = TEXTS.some((field) => /\x1b\$[@B]/.test(email[field] ?? ''))
  return isJapanese ? withTexts(email, fromJapanese) : email
}

/** Returns the legacy charset that a mail declares; null if it declares another one, or several. */
function legacyIn(source: Uint8Array): string | null {
  const start = Buffer.from(source.buffer, source.byteOffset, Math.min(source.length, MOST_LOOKED)).toString('latin1')
  const named = new Set([...start.matchAll(DECLARED)].map(([, header, word]) => (header ?? word ?? '').toLowerCase()))
  named.delete('us-ascii')
  const [, page, utf7] = named.size === 1 ? (LEGACY.exec(firstOf([...named])) ?? []) : []
  return page ? `cp${page}` : utf7 ? 'utf-7' : null
}

const JAPANESE = new TextDecoder('iso-2022-jp')
const fromJapanese = (text: string): string =>
  Buffer.from(text).every((byte) => byte < 128) ? JAPANESE.decode(Buffer.from(text)) : text

const WESTERN = new TextDecoder('windows-1252')
const BYTES = new Map(Array.from({ length: 256 }, (_, byte) => [WESTERN.decode(Uint8Array.of(byte)), byte]))
/** Returns the bytes of a text decoded as Western, the fallback for unknown charsets. */
const bytesOf = (text: string): Buffer => Buffer.from(Array.from(text, (letter) => BYTES.get(letter) ?? 63))
