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

const accepts: Record<string, RegExp> = {
  '#': /\d/,
  S: /[a-z]/i,
  N: /[a-z\d]/i,
  A: /[a-z]/i,
  a: /[a-z]/i,
  X: /[a-z\d]/i,
  x: /[a-z\d]/i,
}

const dress = (token: string, char: string) =>
  token === 'A' || token === 'X' ? char.toUpperCase() : token === 'a' || token === 'x' ? char.toLowerCase() : char

/** The text as the mask shows it so far; what does not fit is dropped, places not reached are not shown. */
export function applyMask(mask: MaskName, text: string): string {
  const pattern = patterns[mask]
  const chars = [...text.replace(/[^\p{L}\p{N}]/gu, '')]
  let shown = ''
  let pending = ''
  for (const token of pattern) {
    const rule = accepts[token]
    if (!rule) {
      pending += token
      continue
    }
    while (chars.length > 0 && !rule.test(chars[0] as string)) chars.shift()
    const char = chars.shift()
    if (char === undefined) break
    shown += pending + dress(token, char)
    pending = ''
  }
  return shown
}

/** The mask with `_` where nothing has been typed yet, for a placeholder. */
export const maskHint = (mask: MaskName): string => patterns[mask].replace(/[#SNAaXx]/g, '_')

/** Letters and digits only: how masked values travel. */
export const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')
