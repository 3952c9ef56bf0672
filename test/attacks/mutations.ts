import type { Random } from '#test/chaos/random.ts'

/** JSON value. */
type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Length of a long text, and depth of a deep value. */
const LONG = 20_000
const DEEP = 300

const deep = (levels: number): Json => {
  let value: Json = 'fundo'
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** Unexpected values that replace a valid one. */
const ODD: readonly ((random: Random, old: Json) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  () => '',
  () => 0,
  () => -1,
  () => 1e308,
  () => 0.5,
  () => true,
  () => 'constructor',
  () => '\u0000\ud800',
  () => 'não é isto',
  () => [['a'], ['b', 'c']],
  () => ({ a: { b: [null, { c: 'Olá' }] } }),
  (random) => 'x'.repeat(random.between(300, LONG)),
  (random) => '\n. '.repeat(random.between(100, LONG / 3)),
  (random) => deep(random.between(20, DEEP)),
  (_, old) => [old, old],
  (_, old) => ({ value: old }),
  (_, old) => (typeof old === 'string' ? old.length : JSON.stringify(old)),
  (_, old) => (typeof old === 'string' ? `${old}${old}` : [null]),
]

type Place = { readonly holder: Json[] | { [name: string]: Json }; readonly key: string | number }

function placesIn(value: Json, found: Place[] = []): Place[] {
  if (value === null || typeof value !== 'object') return found
  const entries: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  for (const [key, one] of entries) {
    found.push({ holder: value, key })
    placesIn(one, found)
  }
  return found
}

/** Returns a copy of a value with one to three wrong places: replaced, removed, or filled with another part of it. */
export function mutated(value: unknown, random: Random): unknown {
  const copy = structuredClone(value) as Json
  for (let left = random.between(1, 3); left > 0; left -= 1) {
    const places = placesIn(copy)
    if (places.length === 0) return random.of(ODD)(random, copy)
    const { holder, key } = random.of(places)
    const at = holder as { [name: string | number]: Json }
    const how = random.next()
    if (how < 0.15) delete at[key]
    else if (how < 0.3) {
      const other = random.of(places)
      at[key] = structuredClone((other.holder as typeof at)[other.key] ?? null)
    } else at[key] = random.of(ODD)(random, at[key] ?? null)
  }
  return copy
}
