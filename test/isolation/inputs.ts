import type { z } from 'zod'
import type { Operation } from '#kit/contract.ts'
import { inputSchema, sample } from '#test/sample.ts'
import type { Marks } from './rows.ts'

type Schema = ReturnType<typeof inputSchema>

/** Request to an operation: its values, and whether they name rows of the other company. */
export type Attack = {
  readonly about: string
  readonly params: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
  /** Whether the address itself names a row of the other company. */
  readonly isForeign: boolean
}

const plain = (schema: Schema): unknown => {
  try {
    return sample(schema)
  } catch {
    return 'texto'
  }
}

/** Returns a value with every id replaced by that of a row of `marks`; undefined if it contains none. */
function named(schema: Schema, marks: Marks): unknown {
  if (schema.anyOf) return schema.anyOf.map((one) => named(one, marks)).find((value) => value !== undefined)
  if ('const' in schema || schema.enum) return undefined
  if (schema.type === 'integer' || schema.type === 'number') return marks.id
  if (schema.format === 'uuid') return marks.uuid
  if (schema.type === 'array') {
    const item = named(schema.items ?? {}, marks)
    return item === undefined ? undefined : [item]
  }
  if (schema.type !== 'object') return undefined
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, one]) => {
    const value = named(one, marks)
    return value === undefined ? [] : [[key, value] as const]
  })
  return inside.length === 0 ? undefined : { ...(plain(schema) as object), ...Object.fromEntries(inside) }
}

const schemaOf = (type: z.ZodType | undefined): Schema => (type ? inputSchema(type) : {})

/** The names of an address, as rows of `marks`: numbers and UUIDs by their format, other names as their column's text. */
const paramsOf = (op: Operation, { id, uuid, word }: Marks): Record<string, unknown> => {
  const { properties = {} } = schemaOf(op.params)
  const names = [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return Object.fromEntries(
    names.map((name) => {
      const { format, type } = properties[name] ?? {}
      if (format === 'uuid') return [name, uuid]
      return [name, type === 'string' ? `${word}-${op.family}-${name}` : id]
    }),
  )
}

/**
 * Returns inputs with each field of a query or body that can name a row, alone beside the required ones, and with all of
 * them.
 */
function variants(type: z.ZodType | undefined, marks: Marks): [about: string, value: Record<string, unknown>][] {
  const schema = schemaOf(type)
  const needed = plain(schema) as Record<string, unknown>
  const single = Object.entries(schema.properties ?? {}).flatMap(([key, one]): [string, unknown][] => {
    const value = named(one, marks)
    return value === undefined ? [] : [[key, value]]
  })
  if (single.length === 0) return []
  const all = single.length > 1 ? ([['all', Object.fromEntries(single)]] as const) : []
  return [...single.map(([key, value]) => [key, { [key]: value }] as const), ...all].map(([key, value]) => [
    key,
    { ...needed, ...value },
  ])
}

/** Every request that names rows of `theirs` to an operation, in its address, its query and its body. */
export function attacksOn(op: Operation, ours: Marks, theirs: Marks): Attack[] {
  const hasParams = op.path.includes(':')
  const own = paramsOf(op, ours)
  const foreign = paramsOf(op, theirs)
  const search = op.query && 'searchParam' in (schemaOf(op.query).properties ?? {}) ? { searchParam: theirs.word } : {}
  const needed = { query: op.query && { ...(plain(schemaOf(op.query)) as object), ...search } }
  const body = op.body && plain(schemaOf(op.body))
  const bodies = variants(op.body, theirs)
  const all: { about: string; params: Attack['params']; isForeign: boolean; query?: unknown; body?: unknown }[] = [
    { about: 'plain', params: own, isForeign: false, ...needed, body },
    ...(hasParams
      ? [{ about: 'address', params: foreign, isForeign: true, ...needed, body: bodies.at(-1)?.[1] ?? body }]
      : []),
    ...variants(op.query, theirs).map(([key, query]) => ({
      about: `query ${key}`,
      params: own,
      isForeign: false,
      query,
      body,
    })),
    ...bodies.map(([key, value]) => ({ about: `body ${key}`, params: own, isForeign: false, body: value })),
  ]
  return all.map(({ query, body: sent, ...attack }) => ({
    ...attack,
    ...(query === undefined ? {} : { query: query as Record<string, unknown> }),
    ...(sent === undefined ? {} : { body: sent }),
  }))
}
