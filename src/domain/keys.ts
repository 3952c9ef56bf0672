/** Returns the value that a record itself has for a text that may be one of its keys; undefined otherwise. */
export function ownMember<R extends object>(record: R, key: PropertyKey): R[keyof R] | undefined {
  return isKeyOf(record, key) ? record[key] : undefined
}

/** Whether a key is an own property of the record. */
export const isKeyOf = <R extends object>(record: R, key: PropertyKey): key is keyof R => Object.hasOwn(record, key)

/** Returns the keys of a record that has no others than its type names: a table of constants, a patch. */
export const keysIn = <R extends object>(record: R): (keyof R & string)[] =>
  Object.keys(record).filter((key): key is keyof R & string => isKeyOf(record, key))

/** Returns keys and values of a record that has no others than its type names. */
export const entriesIn = <R extends object>(record: R): [keyof R & string, R[keyof R & string]][] =>
  keysIn(record).map((key) => [key, record[key]])

/** Whether a value is in a list of constants. */
export const isOneOf = <T>(list: readonly T[], value: unknown): value is T => list.some((one) => one === value)
