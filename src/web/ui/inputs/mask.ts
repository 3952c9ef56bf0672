/** `#` a digit, `S` a letter, `N` a letter or digit, `A`/`a` a letter and `X`/`x` a letter or digit in upper/lower case. */
const patterns = {
  date: '####/##/##',
  datetime: '####/##/## ##:##',
  time: '##:##',
  fulltime: '##:##:##',
  phone: '(###) ### - ####',
  card: '#### #### #### ####',
  cpf: '###.###.###-##',
  cnpj: 'XX.XXX.XXX/XXXX-##',
  celular: '(##) #####-####',
  cep: '#####-###',
  data: '##/##/####',
} as const

/** A named mask: the specification's six, then the Brazilian ones (decision A22). */
export type MaskName = keyof typeof patterns

/** Placeholder of positions that are not typed yet. */
export const FILL = '_'

/** Token of a mask: accepted characters, and how they are written. */
type Token = { readonly takes: RegExp; readonly writes?: (char: string) => string }

const letter = /[a-z]/i
const alphanumeric = /[a-z\d]/i
const upper = (char: string) => char.toUpperCase()
const lower = (char: string) => char.toLowerCase()

/** Tokens of a pattern; every other character is a literal. */
export const TOKENS: Readonly<Record<string, Token>> = {
  '#': { takes: /\d/ },
  S: { takes: letter },
  N: { takes: alphanumeric },
  A: { takes: letter, writes: upper },
  a: { takes: letter, writes: lower },
  X: { takes: alphanumeric, writes: upper },
  x: { takes: alphanumeric, writes: lower },
}

/** Returns the pattern of a named mask. */
export const patternOf = (mask: MaskName): string => patterns[mask]

/** Formats a text with a pattern, as far as it goes; characters that do not fit are dropped, later positions are not shown. */
export function shape(pattern: string, text: string): string {
  const chars = [...bare(text)]
  let shown = ''
  let pending = ''
  for (const slot of pattern) {
    const token = TOKENS[slot]
    if (!token) {
      pending += slot
      continue
    }
    while (chars.length > 0 && !token.takes.test(chars[0] as string)) chars.shift()
    const char = chars.shift()
    if (char === undefined) break
    shown += pending + (token.writes?.(char) ?? char)
    pending = ''
  }
  return shown
}

/** Formats a text with a named mask, as far as it goes. */
export const applyMask = (mask: MaskName, text: string): string => shape(patterns[mask], text)

/** Returns the mask with `_` at every position, for a placeholder. */
export const maskHint = (mask: MaskName): string => patterns[mask].replace(/[#SNAaXx]/g, FILL)

/** Formats a text with a mask, with `_` at the remaining positions. */
export function filled(mask: MaskName, text: string): string {
  const shown = applyMask(mask, text)
  return shown + maskHint(mask).slice(shown.length)
}

/** Whether every place of the mask is taken. */
export const isWhole = (mask: MaskName, text: string): boolean => applyMask(mask, text).length === patterns[mask].length

/** Removes everything but letters and digits: the stored form of masked values other than dates. */
export const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the stored form of a masked text: dates in ISO, times unchanged, all else without punctuation; an incomplete date
 * is unchanged.
 */
export function unmasked(mask: MaskName, text: string): string {
  const shown = applyMask(mask, text)
  if (mask === 'time' || mask === 'fulltime') return shown
  if (mask !== 'date' && mask !== 'datetime' && mask !== 'data') return bare(shown)
  if (!isWhole(mask, text)) return shown
  return mask === 'data'
    ? shown.replace(/(..)\/(..)\/(....)/, '$3-$2-$1')
    : shown.replaceAll('/', '-').replace(' ', 'T')
}

/** Formats a stored value with its mask. */
export const shownOf = (mask: MaskName, wire: string): string =>
  applyMask(mask, mask === 'data' ? wire.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3$2$1') : wire)

/** Returns the mask of a Brazilian document while it is typed: a CNPJ is longer than a CPF, and may have letters. */
export const documentMask = (text: string): 'cpf' | 'cnpj' =>
  bare(text).length > 11 || /[a-z]/i.test(text) ? 'cnpj' : 'cpf'
