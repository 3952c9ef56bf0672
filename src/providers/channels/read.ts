import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import type { ProviderEvent } from './port.ts'

/** Result of reading one entry of a body: events, and the name of an unsupported kind. */
export type Read = { readonly events: readonly ProviderEvent[]; readonly unread?: string }

/** Returns a result with events. */
export const received = (events: readonly ProviderEvent[]): Read => ({ events })

/** Returns a result with the name of an unsupported kind. */
export const unread = (name: string): Read => ({ events: [], unread: name })

/** Reads one entry; a missing part makes it unread, so that other entries are not blocked. */
export function attempt(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError) return unread('incomplete')
    throw error
  }
}

/** Raw entry of a body, and the paths of its values of a wrong type. */
export type Given = { readonly whole: unknown; readonly wrong: readonly string[] }

/**
 * Reads each of several entries separately: returns the events of all, and the names of unread entries and values
 * (`message.text.body`).
 */
export function readEach<S extends z.ZodType>(
  name: string,
  schema: S,
  items: readonly unknown[],
  read: (one: z.output<S>, given: Given) => Read,
): { readonly events: readonly ProviderEvent[]; readonly unread: readonly string[] } {
  const all = items.map((whole) => {
    const one = readOutside(schema, whole)
    if (!one) return { events: [], unread: [name] }
    const { events, unread: kind } = attempt(() => read(one.data, { whole, wrong: one.wrong }))
    return { events, unread: [...(kind ? [kind] : []), ...one.wrong.map((path) => `${name}.${withoutIndexes(path)}`)] }
  })
  return { events: all.flatMap(({ events }) => events), unread: all.flatMap(({ unread }) => unread) }
}

/** Returns the path of a value without list indexes. */
export const withoutIndexes = (path: string): string => path.replace(/(^|\.)\d+(?=\.|$)/g, '')

/** Returns an id for an entry without one, derived from its content. */
export const idOf = (whole: unknown): string =>
  `unnamed:${createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 32)}`

/** Returns a timestamp (epoch ms) if it is valid, else `now`. */
export const momentOr = (at: number, now: number): number => (at >= 1 && at < 8.64e15 ? Math.round(at) : now)

/** Returns the own entry of a table under an external name, ignoring inherited properties. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
