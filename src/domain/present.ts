/** Error for a missing value that the program itself guarantees: a bug, never an invalid input. */
export class MissingValueError extends Error {
  constructor(what: string) {
    super(`missing ${what}`)
    this.name = 'MissingValueError'
  }
}

/** Returns the value; throws a MissingValueError when it is null or undefined. */
export function present<T>(value: T, what = 'value'): NonNullable<T> {
  if (value === null || value === undefined) throw new MissingValueError(what)
  return value
}

/** Returns the item at an index, which may be undefined itself; throws a MissingValueError outside of the list. */
export function itemAt<T>(list: { readonly [index: number]: T }, index: number): T {
  const item = list[index]
  if (item === undefined && !(index in Object(list))) throw new MissingValueError(`item ${index}`)
  return item as T
}

/** Returns the first item; throws a MissingValueError when the list is empty. */
export const firstOf = <T>(list: { readonly [index: number]: T }): T => itemAt(list, 0)

/** Returns the last item; throws a MissingValueError when the list is empty. */
export const lastOf = <T>(list: readonly T[]): T => itemAt(list, list.length - 1)

/** Returns the value that a map or a cache has for a key; throws a MissingValueError without one. */
export const lookUp = <K, V extends NonNullable<unknown>>(
  map: { get(key: K): V | undefined },
  key: K,
): NonNullable<V> => present(map.get(key), `entry ${String(key)}`)

/** Returns the value that a record has for a key; throws a MissingValueError without one. */
export const memberOf = <R extends object, K extends keyof R>(record: R, key: K): NonNullable<R[K]> =>
  present(record[key], `member ${String(key)}`)

/** Returns the text before the first `sign`, the whole text without one. */
export function partBefore(text: string, sign: string): string {
  const at = text.indexOf(sign)
  return at < 0 ? text : text.slice(0, at)
}

/** Returns the text after the last `sign`, the whole text without one. */
export function partAfter(text: string, sign: string): string {
  const at = text.lastIndexOf(sign)
  return at < 0 ? text : text.slice(at + sign.length)
}
