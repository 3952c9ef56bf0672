import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Queryable } from './db.ts'

/** Compiled statement that is executed with values. */
export type Statement<V, R> = (db: Queryable, values: V) => Promise<R[]>

/** Placeholder in a statement for a value given at execution. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Builds and compiles a statement once for many executions, which cost as much as reading the answer. `build` receives
 * a placeholder per value and must not depend on the values.
 */
export function statementOf<V extends Readonly<Record<string, unknown>>, R>(
  db: Queryable,
  names: readonly (keyof V & string)[],
  build: (slots: V) => RawBuilder<R>,
): Statement<V, R> {
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as V
  const { sql, parameters } = build(slots).compile(db)
  const text = oneOf(sql)
  return async (asked, values) => {
    const given = parameters.map((parameter) => (parameter instanceof Slot ? values[parameter.name] : parameter))
    return (await asked.executeQuery<R>(CompiledQuery.raw(text, given))).rows
  }
}

// Statements of different users differ only in values; their common text is stored once.
const texts = new Map<string, string>()
const MOST_TEXTS = 300

function oneOf(text: string): string {
  const known = texts.get(text)
  if (known) return known
  if (texts.size >= MOST_TEXTS) texts.clear()
  texts.set(text, text)
  return text
}

const MOST_SHAPES = 500

/** Caches what is made for each shape of an object, as long as the object exists; cleared when it grows too large. */
export function madeOnce<T>(): (of: object, shape: string, make: () => T) => T {
  const known = new WeakMap<object, Map<string, T>>()
  return (of, shape, make) => {
    const shapes = known.get(of) ?? new Map<string, T>()
    known.set(of, shapes)
    const found = shapes.get(shape)
    if (found) return found
    if (shapes.size >= MOST_SHAPES) shapes.clear()
    const made = make()
    shapes.set(shape, made)
    return made
  }
}
