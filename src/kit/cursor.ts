import { fail } from './errors.ts'

/** Encodes a cursor: the sort values of a page's last row, as an opaque text. */
export function encodeCursor(values: readonly (string | number | null)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(values))).replaceAll('=', '')
}

/** Decodes the sort values of a cursor; throws ERR_VALIDATION if it is damaged. */
export function decodeCursor(cursor: string, length: number): (string | number | null)[] {
  try {
    const values = JSON.parse(decodeURIComponent(atob(cursor)))
    const isPlain = (value: unknown) => value === null || typeof value === 'string' || typeof value === 'number'
    if (Array.isArray(values) && values.length === length && values.every(isPlain)) return values
  } catch {
    // falls through to the same answer
  }
  return fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

type Parts = { string: string; number: number }
type PartsOf<K extends readonly (keyof Parts)[]> = { -readonly [I in keyof K]: Parts[K[I]] }

/** Decodes a cursor whose values have the given types; throws ERR_VALIDATION if it is damaged. */
export function cursorParts<const K extends readonly (keyof Parts)[]>(cursor: string, kinds: K): PartsOf<K> {
  const values: unknown = decodeCursor(cursor, kinds.length)
  return areOf(values, kinds) ? values : fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}

const areOf = <K extends readonly (keyof Parts)[]>(values: unknown, kinds: K): values is PartsOf<K> =>
  Array.isArray(values) && kinds.every((kind, at) => typeof values[at] === kind)
