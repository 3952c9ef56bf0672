import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import type { ProviderEvent } from './port.ts'

/** Result of reading one entry of a body: events, and the name of an unsupported kind. */
export type Read = { readonly events: readonly ProviderEvent[]; readonly unread?: string }

/** Returns a result with events. */
export const received = (events: readonly ProviderEvent[]): Read => ({ events })

/** Something that nothing is made of, by its name. */
export const unread = (name: string): Read => ({ events: [], unread: name })

/** Reads one thing; what lacks a part that it ought to have keeps nothing beside it from coming in. */
export function attempt(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError) return unread('incomplete')
    throw error
  }
}

/** One thing of a body as it came, and the paths of what of it was of a wrong type. */
export type Given = { readonly whole: unknown; readonly wrong: readonly string[] }

/**
 * Reads each of several things by itself: the events of all, and the names of what could not be read, those of single
 * values (`message.text.body`) too.
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

/** The path of a value, the same for every item of a list. */
export const withoutIndexes = (path: string): string => path.replace(/(^|\.)\d+(?=\.|$)/g, '')

/** An id for what came without any: the same whenever the same comes again. */
export const idOf = (whole: unknown): string =>
  `unnamed:${createHash('sha256').update(JSON.stringify(whole)).digest('hex').slice(0, 32)}`

/** Returns a timestamp (epoch ms) if it is valid, else `now`. */
export const momentOr = (at: number, now: number): number => (at >= 1 && at < 8.64e15 ? Math.round(at) : now)

/** Returns the own entry of a table under an external name, ignoring inherited properties. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
