import type { Tx } from '#server/db/db.ts'
import type { Platform } from '#server/platform.ts'
import type { DemoTenant } from './types.ts'

/** A company of the demo that is being written: `idOf` names what other parts have written, by kind and name. */
export type DemoCompany = {
  readonly platform: Platform
  readonly db: Tx
  readonly tenantId: number
  readonly tenant: DemoTenant
  readonly password: string
  /** The ids of what there is by name: each part adds the kinds that are its own. */
  readonly ids: Record<'users' | 'queues' | 'tags' | 'contacts', Map<string, number>>
}

/** Demo data of a feature, written into each company after the named parts. */
export type DemoPart = {
  readonly after?: readonly string[]
  readonly seed: (company: DemoCompany) => Promise<void>
}

/** Parts by name, each behind those that it comes after and otherwise by name. */
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
