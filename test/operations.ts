import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '#kit/contract.ts'
import { make } from '#test/make.ts'
import type { FeatureMakers, Id, Making, Owner } from '#test/makers/maker.ts'
import { plainTables } from '#test/plain-tables.ts'
import { inputSchema, sample } from '#test/sample.ts'
import type { Product } from '#test/server.ts'

export type { Id, Owner } from '#test/makers/maker.ts'

// Makers of each feature: a file named after the feature, or one in the folder of a test feature.
const parts: FeatureMakers[] = []
for (const file of globSync(['makers/*.ts', 'features/*/makers.ts'], { cwd: import.meta.dirname }).sort()) {
  const { makers } = (await import(join(import.meta.dirname, file))) as { makers?: FeatureMakers }
  if (makers) parts.push(makers)
}
const all = <Key extends 'params' | 'bodies' | 'queries'>(key: Key) =>
  Object.assign({}, ...parts.map((part) => part[key])) as NonNullable<FeatureMakers[Key]>
const params = all('params')
const bodies = all('bodies')
const queries = all('queries')
const shared = parts.flatMap((part) => part.shared ?? [])
/** GET operations that write. */
export const writing = parts.flatMap((part) => part.writing ?? [])
const open = parts.flatMap((part) => part.open ?? [])

/** Returns the parameter names of an operation's address. */
export const parametersOf = (op: Operation): string[] =>
  [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)

/** Returns the maker of the row that a parameter names; undefined if there is none. */
export function makerOf(op: Operation, name: string): ((making: Making) => Promise<Id>) | undefined {
  const table = plainTables.get(op.family)
  if (table) return ({ product, tenantId }) => make(product.platform).row(tenantId, table)
  const format = op.params && inputSchema(op.params).properties?.[name]?.format
  return params[`${op.family}.${name}${format ? `:${format}` : ''}`]
}

/** GET operations whose query names a row, for which no sample is valid. */
export const rowInQuery = parts.flatMap((part) => part.rowInQuery ?? [])

/** Whether the row that a parameter names (of a family, or of one operation) is no company's. */
export const isShared = (op: Operation, name: string): boolean =>
  shared.includes(`${op.family}.${name}`) || shared.includes(`${op.name}.${name}`)
/** Whether a body accepts unknown fields on purpose. */
export const isOpen = (op: Operation): boolean => open.includes(op.name)
/** Whether a body is a list. */
export const isList = (op: Operation) => op.body !== undefined && inputSchema(op.body).type === 'array'
/** Returns a valid body of the operation. */
export const bodyFor = (op: Operation) =>
  op.body && (isList(op) ? [] : { ...(sample(inputSchema(op.body)) as object), ...bodies[op.name] })
/** Returns a valid query of the operation. */
export const queryFor = (op: Operation) =>
  op.query && { ...(sample(inputSchema(op.query)) as object), ...queries[op.name] }

/** Makes the rows that requests to any operation name, on a file's product. */
export const rowMakers = (product: () => Product) => ({
  /** Values for the names in an operation's address: a new row of the owner's for each. */
  async paramsFor(op: Operation, { tenantId, userId }: Owner): Promise<Record<string, Id>> {
    const beside: Record<string, Id> = {}
    for (const name of parametersOf(op))
      beside[name] = await makerOf(op, name)!({ product: product(), tenantId, userId, beside, op })
    return beside
  },
})
