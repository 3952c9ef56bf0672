import { type MetadataJson, parsePhoneNumberFromString, validatePhoneNumberLength } from 'libphonenumber-js/core'
import { formatBrazilian, isBrazilianPhone, withNinthDigit } from './brazil.ts'
import { pastedNumber, withoutTrunk } from './pasted.ts'

/** Storable number: E.164 with plus sign, and country (two letters; null for satellite and similar). */
export type Phone = { readonly e164: string; readonly country: string | null }

/** Minimum and maximum number of digits after the plus sign, for every country (specification §5). */
export const PHONE_DIGITS = { min: 2, max: 17 } as const

/** Maximum length of a text, extension included, that is parsed as a number (specification §5). */
export const EXTENSION_TEXT_MAX = 250

/** Reason why a text is not a number: its characters, country, length, or no such line. */
export type PhoneProblem = 'characters' | 'country' | 'short' | 'long' | 'line'

/**
 * Parses a typed or pasted number (`pastedNumber`): with a plus sign international, else Brazilian (with or without 55).
 * Null unless the country is known, the length is valid, and there are at most 17 digits. Adds a missing ninth digit to
 * Brazilian mobiles.
 */
export function parsePhone(text: string, metadata: MetadataJson): Phone | null {
  if (text.length > EXTENSION_TEXT_MAX) return null
  const written = pastedNumber(text)
  if (!/^\+?[\d\s().-]+$/.test(written)) return null
  const parsed = parsePhoneNumberFromString(international(written), metadata)
  if (!parsed?.isValid()) return null
  const e164 = withNinthDigit(parsed.number)
  if (parsed.countryCallingCode === '55' && !isBrazilianPhone(e164.slice(1)) && !isService(parsed.nationalNumber))
    return null
  return e164.length - 1 <= PHONE_DIGITS.max ? { e164, country: parsed.country ?? null } : null
}

/** Returns the reason for which `parsePhone` refuses an international number (plus sign and digits); null if accepted. */
export function phoneProblem(text: string, metadata: MetadataJson): PhoneProblem | null {
  const number = text.replace(/[\s().-]/g, '')
  if (text.length > EXTENSION_TEXT_MAX || !/^\+\d*$/.test(number)) return 'characters'
  if (number.length - 1 < PHONE_DIGITS.min) return 'short'
  if (number.length - 1 > PHONE_DIGITS.max) return 'long'
  if (parsePhone(number, metadata)) return null
  const length = validatePhoneNumberLength(number, metadata)
  if (length === 'INVALID_COUNTRY') return 'country'
  if (length === 'TOO_LONG') return 'long'
  return length === undefined ? 'line' : 'short'
}

/** Formats a number as `+55 (19) 99812-4407` or `+1 415 555 0132`; unparsable text is returned unchanged. */
export function formatPhone(e164: string, metadata: MetadataJson): string {
  return formatBrazilian(e164) ?? parsePhoneNumberFromString(e164, metadata)?.formatInternational() ?? e164
}

function international(text: string): string {
  const digits = text.replace(/\D/g, '')
  // Mexico dials without the 1 that WhatsApp writes.
  if (text.startsWith('+'))
    return `+${digits.replace(/^521(?=\d{10}$)/, '52').replace(/^55(0\d+)$/, (_, national: string) => `55${withoutTrunk(national)}`)}`
  const national = withoutTrunk(digits)
  return national.startsWith('55') && national.length >= 12 ? `+${national}` : `+55${national}`
}

/** Whether a Brazilian number is a service number without area code: 0800 and similar, 4004/3003 and similar. */
function isService(national: string): boolean {
  return /^(?:[38]00\d{7}|900\d{7}|[34]00\d{5})$/.test(national)
}
