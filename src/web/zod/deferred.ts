type Zod = Record<PropertyKey, unknown>
type Make = () => unknown

let provided: Zod | undefined
const makers = new WeakMap<object, Make>()
const parsing = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])

/** Hands over the parts of the real zod; from then on what the contracts wrote down can be made and can parse. */
export function provideZod(zod: Zod): void {
  provided = zod
}

/** The real schema that was written down; anything else comes back as it is. */
export function madeOf(value: unknown): unknown {
  const make = typeof value === 'function' ? makers.get(value) : undefined
  return make ? make() : value
}

/** Arguments as the real zod wants them: schemas in lists and shapes are made, and so is what a callback returns. */
function ready(value: unknown): unknown {
  if (typeof value === 'function') {
    return makers.has(value) ? madeOf(value) : (...args: unknown[]) => madeOf(Reflect.apply(value, undefined, args))
  }
  if (Array.isArray(value)) return value.map(ready)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ready(one)]))
}

function once(make: Make): Make {
  let made: { value: unknown } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Writes down: every property and call of it is a further note, until somebody parses. */
function note(make: Make, call: (args: unknown[]) => unknown): unknown {
  const get = (_: unknown, key: PropertyKey) => {
    if (key === 'then') return undefined
    if (typeof key === 'symbol') throw new TypeError('a schema is only written down here, it cannot be read')
    const member = (args: unknown[]) => {
      const owner = make() as Record<string, (...all: unknown[]) => unknown>
      const method = owner[key]
      if (typeof method !== 'function') throw new TypeError(`zod.${key} is not among the parts in src/web/zod/now.ts`)
      return method.apply(owner, ready(args) as unknown[])
    }
    if (parsing.has(key)) return (...args: unknown[]) => member(args)
    return note(
      once(() => (make() as Zod)[key]),
      member,
    )
  }
  const refuse = () => {
    throw new TypeError('a schema is only written down here, it cannot be read')
  }
  const stand = new Proxy(() => {}, {
    get,
    ownKeys: refuse,
    apply: (_, _self, args) => {
      const made = once(() => call(args))
      return note(made, () => refuse())
    },
  })
  makers.set(stand, make)
  return stand
}

function zod(): Zod {
  if (!provided) throw new Error('zod is not loaded: what parses in the browser imports src/web/zod/now.ts')
  return provided
}

/**
 * What `import { z } from 'zod'` gives in the browser's build (vite.config.ts puts it there). Contracts say what they
 * always say, but it is only written down, because most screens need an operation's method and path alone. A form that
 * checks its values imports `now.ts`, which brings zod, and the schemas are made then.
 */
export const z = note(zod, () => {
  throw new TypeError('zod is not a function')
})
