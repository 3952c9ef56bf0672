/** State (two letters) of every Brazilian area code (DDD). */
export const STATE_OF_DDD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    SP: '11 12 13 14 15 16 17 18 19',
    RJ: '21 22 24',
    ES: '27 28',
    MG: '31 32 33 34 35 37 38',
    PR: '41 42 43 44 45 46',
    SC: '47 48 49',
    RS: '51 53 54 55',
    DF: '61',
    GO: '62 64',
    TO: '63',
    MT: '65 66',
    MS: '67',
    AC: '68',
    RO: '69',
    BA: '71 73 74 75 77',
    SE: '79',
    PE: '81 87',
    AL: '82',
    PB: '83',
    RN: '84',
    CE: '85 88',
    PI: '86 89',
    PA: '91 93 94',
    AM: '92 97',
    RR: '95',
    AP: '96',
    MA: '98 99',
  }).flatMap(([state, codes]) => codes.split(' ').map((code) => [code, state] as const)),
)

/** Returns the state of an international number's area code; null outside of Brazil or for an unknown code. */
export function stateOf(number: string): string | null {
  const digits = digitsOf(number)
  return digits.startsWith('55') ? (STATE_OF_DDD.get(digits.slice(2, 4)) ?? null) : null
}

/**
 * Patterns of mobile numbers with an optional digit: prefix, digit, rest, channel suffix. Brazil has the ninth digit; Mexico
 * (`521`) and Argentina (`549`) the digit that WhatsApp writes. `app.line_of` is the database's version.
 */
const EXTRA_DIGITS = [
  [/^(55[1-9]\d)(9?)([6-9]\d{7})(@s\.whatsapp\.net|@c\.us)?$/, '9'],
  [/^(52)(1?)([1-9]\d{9})(@s\.whatsapp\.net|@c\.us)?$/, '1'],
  [/^(54)(9?)([1-9]\d{9})(@s\.whatsapp\.net|@c\.us)?$/, '9'],
] as const

/**
 * Returns the common key of a number's spellings: the international digits, without the optional mobile digit of Brazil,
 * Mexico and Argentina. Accepts E.164, masked text or a channel's id (`551998124407@s.whatsapp.net`).
 */
export function phoneKey(number: string): string {
  return EXTRA_DIGITS.reduce((digits, [pattern]) => digits.replace(pattern, '$1$3'), digitsOf(number))
}

/** Whether two international numbers are equal, regardless of the optional mobile digit. */
export function samePhone(a: string, b: string): boolean {
  return phoneKey(a) !== '' && phoneKey(a) === phoneKey(b)
}

/**
 * Returns the spellings that channels use for one address, the given one first: a mobile with and without its optional digit
 * (bare digits or a WhatsApp id); any other address has one spelling.
 */
export function spellingsOf(address: string): [string, ...string[]] {
  for (const [pattern, digit] of EXTRA_DIGITS) {
    const [, before, extra, rest, end = ''] = pattern.exec(address) ?? []
    if (before) return [address, `${before}${extra ? '' : digit}${rest}${end}`]
  }
  return [address]
}

/** Inserts the missing ninth digit of a Brazilian mobile into an E.164 number. */
export function withNinthDigit(e164: string): string {
  return e164.replace(/^(\+55[1-9]\d)([6-9]\d{7})$/, '$19$2')
}

/** Whether international digits are a Brazilian landline or mobile: known area code, then 2–5 and 7 digits, or 9 and 8 digits. */
export function isBrazilianPhone(digits: string): boolean {
  const [, code = ''] = /^55(\d\d)(?:[2-5]\d{7}|9\d{8})$/.exec(digits) ?? []
  return STATE_OF_DDD.has(code)
}

/** Formats a Brazilian number as `+55 (19) 99812-4407`; null for any other number. */
export function formatBrazilian(number: string): string | null {
  const match = /^55(\d\d)(\d{4,5})(\d{4})$/.exec(digitsOf(number))
  return match && STATE_OF_DDD.has(match[1] ?? '') ? `+55 (${match[1]}) ${match[2]}-${match[3]}` : null
}

function digitsOf(number: string): string {
  const [address = ''] = number.split('@')
  return address.replace(/\D/g, '')
}
