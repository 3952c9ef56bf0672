/** Returns a record's own value for a text key; undefined if the key is missing. */
export function ownMember<R extends object>(record: R, key: PropertyKey): R[keyof R] | undefined {
  return isKeyOf(record, key) ? record[key] : undefined
}

/** Whether a key is an own property of the record. */
export const isKeyOf = <R extends object>(record: R, key: PropertyKey): key is keyof R => Object.hasOwn(record, key)

/** Returns the keys of a record without further keys than its type has, such as a table of constants. */
export const keysIn = <R extends object>(record: R): (keyof R & string)[] =>
  Object.keys(record).filter((key): key is keyof R & string => isKeyOf(record, key))

/** Returns the entries of a record without further keys than its type has. */
export const entriesIn = <R extends object>(record: R): [keyof R & string, R[keyof R & string]][] =>
  keysIn(record).map((key) => [key, record[key]])

/** Returns a record that has a value for each of these keys. */
export function recordOf<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  const record: { [Key in K]?: V } = {}
  for (const key of keys) record[key] = make(key)
  if (!hasAll(record, keys)) throw new Error('a record without one of its keys')
  return record
}

const hasAll = <K extends string, V>(record: { [Key in K]?: V }, keys: readonly K[]): record is Record<K, V> =>
  keys.every((key) => Object.hasOwn(record, key))

/** Returns the property of a value of unknown shape; undefined if the value is not an object. */
export const fieldIn = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Returns the text property of a value of unknown shape; '' if missing. */
export function textFieldIn(value: unknown, name: PropertyKey): string {
  const text = fieldIn(value, name)
  return typeof text === 'string' ? text : ''
}

/** Returns the numbers in a list of unknown shape; empty for other values. */
export const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'number') : []

/** Returns the texts in a list of unknown shape; empty for other values. */
export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** Returns a value of unknown shape if it is a number; null otherwise. */
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Whether a value is in a list of constants. */
export const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.some((one) => one === value)

/** Whether a value is an object, and no list. */
export const isRecord = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
