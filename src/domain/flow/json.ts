import { isRecord } from '../keys.ts'

/** JSON object of unknown shape. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether this is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject => isRecord(value)

/** Returns the objects of a list; other values are skipped. */
export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Returns a string as written, or a number as text; anything else as an empty string. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Parses a number, also one in a string; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Returns a record id from a number, a number as text, or an object with `id`; null if there is none. */
export function idOf(value: unknown): number | null {
  const id = numberOf(isObject(value) ? value['id'] : value)
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** Whether a switch is on: `true`, 1, or the product family's spellings. */
export const isSet = (value: unknown): boolean =>
  value === true || value === 1 || value === 'true' || value === '1' || value === 'enabled'

/** Returns the texts of a list, also those of objects with a text; a single value counts as a list of one. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value])
    .map((item) => (isObject(item) ? textOf(item['value'] ?? item['text'] ?? item['label']) : textOf(item)).trim())
    .filter((text) => text !== '')
