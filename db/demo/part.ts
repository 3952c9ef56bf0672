import type { Tx } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import type { DemoTenant } from './types.ts'

/** Company of the demo that is being written; `ids` names the rows of other parts, by kind and name. */
export type DemoCompany = {
  readonly platform: Platform
  readonly db: Tx
  readonly tenantId: number
  readonly tenant: DemoTenant
  readonly password: string
  /** Ids of rows by name; each part adds its own kinds. */
  readonly ids: Record<'users' | 'queues' | 'tags' | 'contacts', Map<string, number>>
}

/** Demo data of a feature, written into each company after the named parts. */
export type DemoPart = {
  readonly after?: readonly string[]
  readonly seed: (company: DemoCompany) => Promise<void>
}

/** Sorts parts by name, each after those in its `after`. */
export function inOrder(parts: Readonly<Record<string, DemoPart>>): DemoPart[] {
  const sorted = new Map<string, DemoPart>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`parts of the demo wait for each other: ${[...path, name].join(', ')}`)
    const part = parts[name]
    if (!part) throw new Error(`${path.at(-1)} comes after ${name}, which is no part of the demo`)
    for (const other of part.after ?? []) visit(other, [...path, name])
    sorted.set(name, part)
  }
  for (const name of Object.keys(parts).sort()) if (!sorted.has(name)) visit(name, [])
  return [...sorted.values()]
}
