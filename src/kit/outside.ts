import type { z } from 'zod'
import { itemAt } from '#domain/present.ts'

/** Data parsed from another system, with the paths of the values that were dropped (`messages.0.timestamp`). */
export type Outside<T> = { readonly data: T; readonly wrong: readonly string[] }

// Payloads of messengers wrap messages some twenty levels deep.
const DEEPEST = 100
const MOST_TURNS = 20

type Path = readonly PropertyKey[]

/** Parses JSON from another system as `unknown`, so that a schema has to validate it. @throws SyntaxError for invalid JSON. */
export const parseJson = (json: string | Uint8Array): unknown =>
  JSON.parse(typeof json === 'string' ? json : new TextDecoder().decode(json))

/**
 * Parses another system's data leniently: null counts as absent, an empty text too where it is invalid; a value of a wrong
 * type is dropped with its path in `wrong`, and an object without a required field is dropped whole (in a list: the item).
 * Unknown keys are preserved by a `looseObject`. Returns null if no valid data are left. Never throws.
 */
export function readOutside<S extends z.ZodType>(schema: S, given: unknown): Outside<z.output<S>> | null {
  const wrong: string[] = []
  let value = withoutNulls(given, [], wrong)
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const read = schema.safeParse(value)
    if (read.success) return { data: read.data, wrong }
    const gone: Path[] = []
    for (const { path } of read.error.issues) {
      // A value was dropped already if its parent was.
      if (gone.some((one) => one.every((key, index) => key === path[index]))) continue
      const dropped = removeAt(value, path)
      if (!dropped) return null
      gone.push(dropped.path)
      if (dropped.value !== '') wrong.push(nameOf(dropped.path))
    }
    value = withoutNulls(value, [], wrong)
  }
  return null
}

const nameOf = (path: Path): string => path.map(String).join('.')

/** Copies a value without null and undefined, bytes unchanged; values nested too deep are dropped. */
function withoutNulls(value: unknown, path: Path, wrong: string[]): unknown {
  if (value === null || typeof value !== 'object') return value ?? undefined
  if (ArrayBuffer.isView(value)) return value
  if (path.length >= DEEPEST) {
    wrong.push(nameOf(path.slice(0, 3)))
    return undefined
  }
  if (Array.isArray(value))
    return value.map((one, index) => withoutNulls(one, [...path, index], wrong)).filter((one) => one !== undefined)
  const copy: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    const read = withoutNulls(one, [...path, key], wrong)
    // `__proto__` as a key of JSON is an ordinary name.
    if (read !== undefined)
      Object.defineProperty(copy, key, { value: read, enumerable: true, writable: true, configurable: true })
  }
  return copy
}

const isKeyed = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null

/** Drops the value at a path, or its nearest existing ancestor; returns it, null where that is the whole. */
function removeAt(value: unknown, path: Path): { readonly path: Path; readonly value: unknown } | null {
  const above = [value]
  for (const key of path) {
    const last = above.at(-1)
    // Index 0 of a list that was written as its only item is that item.
    const isOnly = key === 0 && isKeyed(last) && !Array.isArray(last)
    const next = isOnly ? last : isKeyed(last) ? last[key] : undefined
    if (next === undefined) break
    above.push(next)
  }
  // A missing value is reported at its parent.
  const depth = above.length - 1
  if (depth === 0) return null
  const key = itemAt(path, depth - 1)
  const holder = above[depth - 1]
  if (!isKeyed(holder)) return null
  // An only item is dropped together with its property.
  if (above[depth] === holder) return removeAt(value, path.slice(0, depth - 1))
  const dropped = holder[key]
  holder[key] = undefined
  return { path: path.slice(0, depth), value: dropped }
}
