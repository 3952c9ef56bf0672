import { fail } from './errors.ts'

/** Opaque position in an ordered list: the sort values of the last row. */
export function encodeCursor(values: readonly (string | number | null)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(values))).replaceAll('=', '')
}

/** The values of a cursor; a damaged one is a validation error. */
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
