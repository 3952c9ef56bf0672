import { fail } from './errors.ts'

/** Opaque position in an ordered list: the sort values of the last row. */
export function encodeCursor(values: readonly (string | number | null)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(values))).replaceAll('=', '')
}

/** The values of a cursor; a damaged one is a validation error. */
export function decodeCursor(cursor: string, length: number): (string | number | null)[] {
  try {
    const values = JSON.parse(decodeURIComponent(atob(cursor)))
    if (Array.isArray(values) && values.length === length) return values
  } catch {
    // falls through to the same answer
  }
  return fail('ERR_VALIDATION', { cursor: 'A posição da lista não é válida.' })
}
