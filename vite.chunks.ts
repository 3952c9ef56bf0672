import { dirname, join } from 'node:path'

type Info = {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}
type InfoOf = (id: string) => Info | null

const talk = /\/src\/features\/[^/]+\/web\/|\/@tanstack\/(react-)?virtual/
const source = (path: string) => join(import.meta.dirname, 'src', path)
const door = /\/src\/features\/([^/]+)\/web\/index\.tsx?$/

/** Modules that only re-export, with their import paths: an importer needs only what it names of them. */
const lists = [
  { id: /\/@mantine\/core\/esm\/index\.mjs$/, called: /^@mantine\/core$/ },
  { id: /\/@mantine\/hooks\/esm\/index\.mjs$/, called: /^@mantine\/hooks$/ },
  { id: /\/@tabler\/icons-react\/dist\/esm\/icons\/index\.mjs$/, called: /^@tabler\/icons-react$/ },
  { id: /\/src\/web\/ui\/icons\.ts$/, called: /(^|\/)icons\.ts$/ },
]

function listOf(id: string): { called: RegExp } | undefined {
  const [, feature] = door.exec(id) ?? []
  return feature ? { called: new RegExp(`^#features/${feature}/web/`) } : lists.find((list) => list.id.test(id))
}

/** Returns a module's named imports and re-exports: source, name there, and name here. */
function taken(code: string | null): { from: string; there: string; here: string }[] {
  const clauses = [
    ...(code ?? '').matchAll(/\b(?:import|export)\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']([^"']+)["']/g),
  ]
  return clauses.flatMap(([, names = '', from = '']) =>
    names.split(',').flatMap((name) => {
      const [, there, here = there] = /^\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(name) ?? []
      return there && here ? [{ from, there, here }] : []
    }),
  )
}

/** Returns the modules from which the re-exporting module `id` takes the given names. */
function through(infoOf: InfoOf, id: string, names: ReadonlySet<string>): string[] {
  const { code = null, importedIds = [] } = infoOf(id) ?? {}
  return taken(code)
    .filter(({ here }) => names.has(here))
    .flatMap(({ from, there }) => {
      if (from.startsWith('.')) return [join(dirname(id), from)]
      const next = importedIds.find((one) => listOf(one)?.called.test(from))
      return next ? through(infoOf, next, new Set([there])) : []
    })
}

/** Returns the paths that a module imports by name from its own folder, without pure re-exports. */
const usedHere = (id: string, code: string | null): Set<string> =>
  new Set(
    [...(code ?? '').matchAll(/\bimport\s*\{[^}]*\}\s*from\s*["'](\.[^"']+)["']/g)].map(([, from = '']) =>
      join(dirname(id), from),
    ),
  )

/**
 * Returns the modules that a module loads at its start. A re-export of a feature's index counts for the modules that name
 * it.
 */
function reached(infoOf: InfoOf, start: string): Set<string> {
  const seen = new Set([start])
  for (const id of seen) {
    const { code = null, importedIds = [] } = infoOf(id) ?? {}
    const inside = door.test(id) ? id.replace(/index\.tsx?$/, '') : undefined
    const used = inside ? usedHere(id, code) : undefined
    for (const next of importedIds) {
      if (inside && next.startsWith(inside) && !used?.has(next)) continue
      const list = listOf(next)
      if (!list || door.test(next)) seen.add(next)
      if (!list) continue
      const names = taken(code).flatMap(({ from, there }) => (list.called.test(from) ? [there] : []))
      for (const one of through(infoOf, next, new Set(names))) seen.add(one)
    }
  }
  return seen
}

/** Returns the modules that a module loads at its start or later. */
function everReached(infoOf: InfoOf, start: string): Set<string> {
  const seen = reached(infoOf, start)
  for (const id of seen)
    for (const next of infoOf(id)?.dynamicallyImportedIds ?? [])
      if (!seen.has(next)) for (const one of reached(infoOf, next)) seen.add(one)
  return seen
}

// Modules that a page starts with once it is drawn, and those of the attendance screen at that time.
const later = ['web/start/afterwards.ts', 'features/attendance/web/alerts/alerts.ts']
const parts = [
  'features/messages/web/composer/draft-sync.ts',
  ...['list/ListTools.tsx', 'views/SavedViews.tsx', 'list/StageOf.tsx'].map((name) => `features/tickets/web/${name}`),
  'features/auth/web/SupportBar.tsx',
  'features/connections/web/OutageBar.tsx',
]

// Modules that the attendance screen requests together at the first interaction.
const touched = ['first-use.ts', 'panel/ContextPanel.tsx'].map((name) => `features/attendance/web/${name}`)

// The builder of chat flows, which people open by its address.
const drawing = ['Builder.tsx', 'Canvas.tsx'].map((name) => `features/flows/web/builder/${name}`)

// The boards of cards, what draws any of them, and the files of which they and the builder need only little.
const boards = ['funnel/web/FunnelBoard.tsx', 'kanban/web/Board.tsx'].map((name) => `features/${name}`)
const conversations = new Set(['talk', 'parts', 'later', 'touch'])
const dragged =
  /\/src\/web\/board\/|\/(@hello-pangea|redux|react-redux|css-box-model|tiny-invariant|raf-schd|memoize-one)\//
const panels = ['features/flows/web/builder/Panels.tsx']
const own = /\/src\/(features|domain)\//

/**
 * Assigns the shared modules of the first screen to chunks: `base` is shared with the login page, `frame` with every screen,
 * `talk` with screens that show conversations, `shared` with others. `later` and `parts` are shared once the first screen is
 * drawn; `touch` loads with the first interaction, which may be a click that waits for it; `tools` holds the parts of
 * `touch` that other screens may use as well (an icon, number formatting), so that they do not load the conversations. As
 * separate files, some sixty small chunks would be larger and need one request each. Modules that login and attendance share
 * without the frame get no chunk here. The flow builder's shared modules are chunked too: `flows`, and `widgets`, which most
 * screens draw with. Boards of cards share `boards`; the part of the builder that boards need is `rules`.
 */
export function firstScreen() {
  let places: Map<string, string> | undefined
  const sorted = (infoOf: InfoOf) => {
    const login = reached(infoOf, source('features/auth/web/login-entry.tsx'))
    const main = reached(infoOf, source('web/main.tsx'))
    const attendance = reached(infoOf, source('features/attendance/web/attendance.tsx'))
    const found = new Map<string, string>()
    for (const start of touched)
      for (const id of reached(infoOf, source(start))) found.set(id, talk.test(id) ? 'touch' : 'tools')
    for (const start of parts) for (const id of reached(infoOf, source(start))) found.set(id, 'parts')
    for (const start of later) for (const id of reached(infoOf, source(start))) found.set(id, 'later')
    for (const id of login) found.delete(id)
    for (const id of attendance) if (!login.has(id)) found.set(id, talk.test(id) ? 'talk' : 'shared')
    for (const id of main) found.set(id, login.has(id) ? 'base' : 'frame')
    // These need the frame, which the login page must never run.
    const ofLogin = everReached(infoOf, source('features/auth/web/login-entry.tsx'))
    for (const start of drawing)
      for (const id of reached(infoOf, source(start)))
        if (!found.has(id) && !ofLogin.has(id)) found.set(id, own.test(id) ? 'flows' : 'widgets')
    const ofBoards = new Set(boards.flatMap((start) => [...reached(infoOf, source(start))]))
    const ofBuilder = [...drawing, ...panels].flatMap((start) => [...reached(infoOf, source(start))])
    for (const id of [...ofBoards, ...ofBuilder]) if (conversations.has(found.get(id) ?? '')) found.set(id, 'shared')
    for (const id of ofBoards)
      if (dragged.test(id) && !found.has(id)) found.set(id, 'boards')
      else if (found.get(id) === 'flows') found.set(id, 'rules')
    return found
  }
  return {
    debugName: 'first screen',
    name: (id: string, context: { getModuleInfo: InfoOf }): string | null => {
      places ??= sorted((one) => context.getModuleInfo(one))
      return places.get(id) ?? null
    },
    minShareCount: 2,
    includeDependenciesRecursively: false,
  }
}
