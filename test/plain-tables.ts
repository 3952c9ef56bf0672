import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Resource } from '#kit/resource.ts'

const root = join(import.meta.dirname, '..')
const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'spec' in value && 'ops' in value && 'changed' in value

/** Every `resource()` that a feature declares, one of the tests too, without being named; by family. */
export const plainTables: ReadonlyMap<string, Resource> = new Map()
for (const file of globSync(['src/features/*/*.ts', 'test/features/*/*.ts'], {
  cwd: root,
  exclude: ['**/*.test.ts'],
}).sort())
  for (const one of Object.values<unknown>(await import(join(root, file))))
    if (isResource(one)) (plainTables as Map<string, Resource>).set(one.spec.name, one)
