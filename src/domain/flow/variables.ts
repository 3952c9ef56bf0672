import { cleanText, cutText } from '../text.ts'
import { isObject } from './json.ts'

/** Maximum number of variables of a session. */
export const MOST_VARIABLES = 100
/** Maximum length of a variable's value in characters. */
export const MOST_CHARACTERS = 4000
/** Maximum number of values stored from one call's answer. */
const MOST_OF_AN_ANSWER = 50
const MOST_DEPTH = 8

type Variables = Readonly<Record<string, string>>

/** Stores a variable: a value that is too long is cut, and a new variable above the maximum is ignored. */
export function remember(variables: Variables, name: string, value: string): Variables {
  // An outside system may answer characters that the database cannot store, which would lose the whole session.
  const key = cleanText(name)
  const isNew = !Object.hasOwn(variables, key)
  if (isNew && Object.keys(variables).length >= MOST_VARIABLES) return variables
  return { ...variables, [key]: cleanText(cutText(value, MOST_CHARACTERS)) }
}

/** Stores the answer of a call as `name.status` and `name.field`, fields that the flow uses first. */
export function rememberCall(
  variables: Variables,
  name: string,
  { status, body }: { readonly status: number; readonly body: string },
  used: ReadonlySet<string>,
): Variables {
  const found = [...valuesIn(parsed(body), name)]
  const wanted = found.filter(([key]) => used.has(key))
  const others = found.filter(([key]) => !used.has(key))
  let all = remember(variables, `${name}.status`, String(status))
  for (const [key, value] of [...wanted, ...others].slice(0, MOST_OF_AN_ANSWER)) {
    if (key !== `${name}.status`) all = remember(all, key, value)
  }
  return all
}

/** Parses an answer to a number with a decimal point; null if invalid. "1.234,50" is read as Brazilian notation. */
export function numberIn(text: string): string | null {
  const written = text.trim()
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(written)) return written.replaceAll('.', '').replace(',', '.')
  return /^-?\d+([.,]\d+)?$/.test(written) ? written.replace(',', '.') : null
}

/** Parses the body of an answer as JSON; invalid JSON is returned as text. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function* valuesIn(value: unknown, name: string, depth = 0): Generator<readonly [string, string]> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    yield [depth === 0 ? `${name}.body` : name, String(value)]
  else if (depth < MOST_DEPTH && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* valuesIn(item, `${name}.${index}`, depth + 1)
  else if (depth < MOST_DEPTH && isObject(value))
    for (const [key, item] of Object.entries(value)) yield* valuesIn(item, `${name}.${key}`, depth + 1)
}
