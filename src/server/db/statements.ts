import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Queryable } from './db.ts'

/** A statement whose text is made: what is left is to give its values. */
export type Statement<V, R> = (db: Queryable, values: V) => Promise<R[]>

/** Stands in a statement for a value that is given when it is asked. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Makes the text of a statement, once for many times that it is asked: building and compiling one costs as much as reading
 * the answer. `build` gets a place for each value; it must not look into them, as the text is the same for all values.
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

// What differs between people is in the values: their statements have one text, which is kept once.
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

/** Keeps what is made for each shape of something, as long as that something is there; all of it anew where it is too much. */
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
