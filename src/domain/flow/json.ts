/** A JSON object of unknown shape. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether this is an object, and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the objects of a list; other values are skipped. */
export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Text as written; numbers become text, everything else is empty. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A number, also one written as text; null for everything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The id of a row: a number, a number as text, or an object that has one; null where there is none. */
export function idOf(value: unknown): number | null {
  const id = numberOf(isObject(value) ? value['id'] : value)
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : null
}

/** On: `true`, 1, or how the family writes it. */
export const isSet = (value: unknown): boolean =>
  value === true || value === 1 || value === 'true' || value === '1' || value === 'enabled'

/** The texts of a list, also of objects that have one; a single text is a list of one. */
export const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value])
    .map((item) => (isObject(item) ? textOf(item['value'] ?? item['text'] ?? item['label']) : textOf(item)).trim())
    .filter((text) => text !== '')
