/** CPF or CNPJ as stored: no mask, upper case. */
export type Document = { readonly kind: 'cpf' | 'cnpj'; readonly value: string }

/** Masks of documents; `0` is a digit, `A` a digit or letter. */
const DOCUMENT_MASKS = { cpf: '000.000.000-00', cnpj: 'AA.AAA.AAA/AAAA-00' } as const

/** Parses a CPF or CNPJ with or without mask; null for a wrong length, invalid characters or check digits. */
export function parseDocument(text: string): Document | null {
  const value = bare(text)
  if (isCpf(value)) return { kind: 'cpf', value }
  return isCnpj(value) ? { kind: 'cnpj', value } : null
}

/** Restores leading zeros that a spreadsheet removed from a document, if its check digits confirm them. */
export function withLeadingZeros(text: string): string {
  const value = bare(text)
  if (parseDocument(value) || !/^\d{8,13}$/.test(value)) return text
  return [value.padStart(11, '0'), value.padStart(14, '0')].find((one) => parseDocument(one)) ?? text
}

/** Whether the text, masked or not, is a CPF: 11 digits, not all equal, with right check digits. */
export function isCpf(text: string): boolean {
  const value = bare(text)
  return /^(\d)(?!\1{10})\d{10}$/.test(value) && value.endsWith(checkDigits(value.slice(0, 9), 11))
}

/** Whether the text, masked or not, is a CNPJ, numeric or (since July 2026) alphanumeric, with right check digits. */
export function isCnpj(text: string): boolean {
  const value = bare(text)
  return /^(.)(?!\1{11})[\dA-Z]{11}\d{2}$/.test(value) && value.endsWith(checkDigits(value.slice(0, 12), 9))
}

/** Formats a CPF or CNPJ with its mask; other text is returned unchanged. */
export function formatDocument(text: string): string {
  const document = parseDocument(text)
  if (!document) return text
  let next = 0
  return DOCUMENT_MASKS[document.kind].replace(/[0A]/g, () => document.value[next++] ?? '')
}

function bare(text: string): string {
  return text.replace(/[\s./-]/g, '').toUpperCase()
}

/** Computes both check digits, modulo 11; weights rise from 2 at the right and restart after `highest`. */
function checkDigits(base: string, highest: number): string {
  const first = checkDigit(base, highest)
  return first + checkDigit(base + first, highest)
}

function checkDigit(base: string, highest: number): string {
  const sum = Array.from(base)
    .reverse()
    .reduce((total, character, index) => total + (character.charCodeAt(0) - 48) * (2 + (index % (highest - 1))), 0)
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}
