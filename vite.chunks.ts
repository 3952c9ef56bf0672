import { join } from 'node:path'

type ModuleInfo = (id: string) => { readonly importedIds: readonly string[] } | null

const source = (path: string) => join(import.meta.dirname, 'src', path)
const own = /\/src\/|\/@tabler\/icons-react\/dist\/esm\/icons\/Icon/
const door = /\/src\/features\/([^/]+)\/web\/index\.tsx?$/

/** The modules that some begin with. What a feature's door names beside its screens comes with those who use it. */
function reached(infoOf: ModuleInfo, ...starts: string[]): Set<string> {
  const seen = new Set(starts)
  for (const id of seen) {
    if (!own.test(id) && !id.includes('@tabler/icons-react')) continue
    const inside = door.test(id) ? id.replace(/index\.tsx?$/, '') : undefined
    for (const next of infoOf(id)?.importedIds ?? []) if (!inside || !next.startsWith(inside)) seen.add(next)
  }
  return seen
}

/**
 * What the product's first screen shares with others goes into one file: as files of their own, some fifty small ones
 * would weigh a third more and be asked for one by one. What the login page needs too is left to the bundler.
 */
export function shared() {
  let first: Set<string> | undefined
  return {
    debugName: 'shared',
    name: (id: string, context: { getModuleInfo: ModuleInfo }): string | null => {
      if (!first) {
        const infoOf: ModuleInfo = (one) => context.getModuleInfo(one)
        first = reached(infoOf, source('web/main.tsx'), source('features/tickets/web/attendance.tsx'))
        for (const one of reached(infoOf, source('features/auth/web/login-entry.tsx'))) first.delete(one)
      }
      return own.test(id) && first.has(id) ? 'shared' : null
    },
    minShareCount: 2,
    maxModuleSize: 20_000,
    includeDependenciesRecursively: false,
  }
}
