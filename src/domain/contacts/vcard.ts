import { present } from '../present.ts'

/** Fields of an address book card that a contact can store; `more` are further lines by label. */
export type Card = {
  name: string
  firstName: string
  lastName: string
  businessName: string
  number: string
  email: string
  /** `YYYY-MM-DD`. */
  birthdayDate: string
  more: Record<string, string>
}

/** Lines that begin and end a card. */
export const CARD_BEGINS = /^BEGIN:VCARD\s*$/i
export const CARD_ENDS = /^END:VCARD\s*$/i

/**
 * Parses the lines of a card, version 2.1 (quoted-printable), 3.0 or 4.0. Prefers a mobile number, else the first; further
 * numbers, and a birthday without year, are in `more`.
 */
export function readCard(lines: readonly string[]): Card {
  const numbers: { value: string; isFirst: boolean }[] = []
  const emails: string[] = []
  const card: Card = { ...EMPTY, more: {} }
  let last = ''
  for (const line of unfolded(lines)) {
    const { key, params, raw } = propertyIn(line)
    // Old phones write the lines of a note without folding.
    if (key === '' && last === 'NOTE' && line.trim() !== '') card.more['Observações'] += `\n${unescaped(line)}`
    else last = key
    const value = /quoted-printable/i.test(params) ? fromQuotedPrintable(raw) : raw
    switch (key) {
      case 'FN':
        card.name = unescaped(value)
        break
      case 'N': {
        const [last = '', first = ''] = value.split(/(?<!\\);/)
        card.lastName = unescaped(last)
        card.firstName = unescaped(first)
        break
      }
      case 'ORG':
        card.businessName = value
          .split(/(?<!\\);/)
          .map(unescaped)
          .filter(Boolean)
          .join(', ')
        break
      case 'TEL':
        numbers.push({ value: unescaped(value).replace(/^tel:/i, ''), isFirst: /cell|mobile|pref/i.test(params) })
        break
      case 'EMAIL':
        emails.push(unescaped(value))
        break
      case 'BDAY':
        if (/^\d{4}-?\d{2}-?\d{2}/.test(value))
          card.birthdayDate = value.replace(/^(\d{4})-?(\d{2})-?(\d{2}).*$/, '$1-$2-$3')
        else if (value) card.more['Aniversário'] = value.replace(/^--(\d{2})-?(\d{2}).*$/, '$2/$1')
        break
      case 'NOTE':
        card.more['Observações'] = unescaped(value)
        break
    }
  }
  const main = numbers.find(({ isFirst }) => isFirst) ?? numbers[0]
  card.number = main?.value ?? ''
  for (const [at, { value }] of numbers.filter((one) => one !== main).entries()) card.more[`Telefone ${at + 2}`] = value
  card.email = emails[0] ?? ''
  for (const [at, email] of emails.slice(1).entries()) card.more[`E-mail ${at + 2}`] = email
  card.name ||= [card.firstName, card.lastName].filter(Boolean).join(' ') || card.businessName
  return card
}

const EMPTY = { name: '', firstName: '', lastName: '', businessName: '', number: '', email: '', birthdayDate: '' }

/** Parses a line into key (upper case), parameters and raw value; all empty if it is not a property. */
function propertyIn(line: string): { key: string; params: string; raw: string } {
  const [start = '', key = ''] = /^(?:[\w-]+\.)?([A-Za-z-]+)(?=[;:])/.exec(line) ?? []
  // The colon that ends the parameters; quoted ones may contain others.
  let end = start === '' ? line.length : start.length
  for (let isQuoted = false; end < line.length && (isQuoted || line[end] !== ':'); end++)
    if (line[end] === '"') isQuoted = !isQuoted
  if (end >= line.length) return { key: '', params: '', raw: '' }
  return { key: key.toUpperCase(), params: line.slice(start.length, end), raw: line.slice(end + 1) }
}

/** Unfolds lines: continued by a leading blank, or (quoted-printable) by a trailing `=`. */
function unfolded(lines: readonly string[]): string[] {
  const whole: string[][] = []
  let isEncoded = false
  for (const line of lines) {
    const parts = whole.at(-1)
    const last = parts?.at(-1)
    if (isEncoded && last?.endsWith('=')) present(parts).splice(-1, 1, last.slice(0, -1), line)
    else if (parts && /^[ \t]/.test(line)) parts.push(line.slice(1))
    else {
      whole.push([line])
      isEncoded = false
    }
    isEncoded ||= /quoted-printable/i.test(line)
  }
  return whole.map((parts) => parts.join(''))
}

// Text that is not valid UTF-8 is decoded as the older Western encoding.
function fromQuotedPrintable(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%/g, '%25').replace(/=([0-9A-F]{2})/gi, '%$1'))
  } catch {
    return text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

const unescaped = (text: string): string =>
  text
    .replace(/\\n/gi, '\n')
    .replace(/\\([,;:\\])/g, '$1')
    .trim()
const escaped = (text: string): string => text.replace(/[\\,;]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Writes a contact as vCard 3.0, with a note; lines end with CRLF and are folded after 75 characters. */
export function writeCard(contact: Omit<Card, 'more'> & { note?: string }): string {
  const { name, firstName, lastName, businessName, number, email, birthdayDate, note = '' } = contact
  const [first = '', ...rest] = name.split(' ')
  const line = (key: string, value: string) => (value === '' ? [] : [`${key}:${value}`])
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped(name)}`,
    `N:${escaped(lastName || rest.join(' '))};${escaped(firstName || first)};;;`,
    ...line('ORG', escaped(businessName)),
    ...line('TEL;TYPE=CELL', number && `+${number}`),
    ...line('EMAIL', escaped(email)),
    ...line('BDAY', birthdayDate),
    ...line('NOTE', escaped(note)),
    'END:VCARD',
  ]
    .map((one) => one.replace(/(.{75})(?=.)/gu, '$1\r\n '))
    .join('\r\n')
    .concat('\r\n')
}
