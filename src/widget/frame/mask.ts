const put = (mask: string, digits: string): string => {
  let next = 0
  let text = ''
  for (const sign of mask) {
    if (next === digits.length) break
    text += sign === '0' ? digits[next++] : sign
  }
  return text
}

const MASKS: Readonly<Record<string, ((digits: string) => string) | undefined>> = {
  cpf: (digits: string) => put('000.000.000-00', digits.slice(0, 11)),
  phone: (digits: string) => put(digits.length > 10 ? '(00) 00000-0000' : '(00) 0000-0000', digits.slice(0, 11)),
}

/** Formats a field's text with its mask; a foreign phone number (`+…`) is unchanged. */
export function masked(field: string, text: string): string {
  const mask = MASKS[field]
  return mask && !text.startsWith('+') ? mask(text.replace(/\D/g, '')) : text
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname
  } catch {
    return ''
  }
}

/** Whether an address matches the path of an opening; `*` is a wildcard. */
export function matches(path: string, url: string): boolean {
  const at = pathOf(url)
  return fits(path, at) || (at.endsWith('/') && fits(path, at.slice(0, -1)))
}

function fits(path: string, at: string): boolean {
  const parts = path.split('*')
  const last = parts.length - 1
  let from = 0
  for (const [index, part] of parts.entries()) {
    const found = index > 0 && index === last ? at.length - part.length : at.indexOf(part, from)
    if (found < from || (index === 0 && found > 0) || !at.startsWith(part, found)) return false
    from = found + part.length
  }
  return last > 0 || from === at.length
}
