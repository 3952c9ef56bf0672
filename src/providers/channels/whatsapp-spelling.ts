import { withoutEnd } from '#domain/text.ts'

/** Normalizes a field name: Go's `stanzaID`, `URL` or `Connected` become `stanzaId`, `url` and `connected`. */
const spelled = (name: string): string => {
  if (/^[A-Z0-9]+$/.test(name)) return name.toLowerCase()
  const begun = name
    .replace(/^[A-Z]+(?=[A-Z][a-z])/, (letters) => letters.toLowerCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
  // Of trailing capitals (possibly before digits), only the first stays a capital.
  const start = withoutEnd(withoutEnd(begun, /\d/), /[A-Z]/).length + 1
  return begun.slice(0, start) + begun.slice(start).toLowerCase()
}

/** Maximum depth that is read, and maximum length of a normalized name. */
const MOST_DEPTH = 100
const MOST_NAME_LENGTH = 60

/** Normalizes all field names of a Go gateway's data, in any of its spellings; omits values that are nested too deeply. */
export function respelled(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MOST_DEPTH) return undefined
  if (Array.isArray(value)) return value.map((one) => respelled(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.length > MOST_NAME_LENGTH ? name : spelled(name),
      respelled(one, depth + 1),
    ]),
  )
}
