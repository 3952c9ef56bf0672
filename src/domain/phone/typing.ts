import { AsYouType, getCountries, getCountryCallingCode, type MetadataJson } from 'libphonenumber-js/core'

/** Country of a phone field: two letters, and its calling code without plus sign. */
export type PhoneCountry = { readonly country: string; readonly code: string }

/** Returns all countries with a calling code. */
export function phoneCountries(metadata: MetadataJson): PhoneCountry[] {
  return getCountries(metadata).map((country) => ({ country, code: getCountryCallingCode(country, metadata) }))
}

/**
 * Returns the international number of unfinished input: a plus sign and digits. Without a plus sign it belongs to the
 * country with the given calling code, whether typed or not.
 */
export function typedNumber(text: string, code: string): string {
  const digits = text.replace(/\D/g, '')
  if (text.includes('+')) return `+${digits}`
  if (digits === '') return ''
  const isWhole = digits.startsWith(code) && digits.length >= code.length + 10
  return isWhole ? `+${digits}` : `+${code}${digits.replace(/^0+/, '')}`
}

/** Formats an incomplete number while typing: `+55 (19) 99812-4407`, `+1 415 555 0132`. */
export function formatTyped(number: string, metadata: MetadataJson): string {
  if (!/^\+\d*$/.test(number)) return number
  const [, area = '', local = ''] = /^\+55(\d{1,2})(\d{0,9})$/.exec(number) ?? []
  if (!area || area.startsWith('0')) return new AsYouType(undefined, metadata).input(number)
  if (!local) return `+55 (${area}`
  const prefixLength = local.length > 8 || local.startsWith('9') ? 5 : 4
  return `+55 (${area}) ${local.slice(0, prefixLength)}${local.length > prefixLength ? `-${local.slice(prefixLength)}` : ''}`
}

/**
 * Returns the country of an unfinished number, null until its digits tell, and for satellite services. Of several
 * countries with one calling code, `likely` if it fits, else the largest.
 */
export function typedCountry(number: string, metadata: MetadataJson, likely?: string): string | null {
  const writing = new AsYouType(undefined, metadata)
  writing.input(number)
  const sharing: readonly string[] = metadata.country_calling_codes[writing.getCallingCode() ?? ''] ?? []
  return writing.getCountry() ?? (likely && sharing.includes(likely) ? likely : (sharing[0] ?? null))
}

/** Replaces a number's calling code by another country's; the digits after the old code remain. */
export function movedTo(number: string, code: string, metadata: MetadataJson): string {
  const writing = new AsYouType(undefined, metadata)
  writing.input(number)
  const old = writing.getCallingCode() ?? ''
  return `+${code}${number.replace(/\D/g, '').slice(old.length)}`
}
