import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const MOST_NAMES = 25
const MOST_LINES = 12_000

type Import = { from: string; to: string; names: string[] }

/** Returns the imports between feature files: types, style sheets, and lazy imports. */
function importsOf(project: string): Import[] {
  const statement = /(?:\{([^{}]*)\}\s*from|\bfrom|\bimport)\s*\(?\s*'(#features\/|\.{1,2}\/)([^'\n]+)'/g
  return globSync('src/features/**/*.{ts,tsx}', { cwd: project, exclude: ['**/*.test.*'] }).flatMap((from) =>
    [...readFileSync(join(project, from), 'utf8').matchAll(statement)].map(([, names = '', way, rest]) => ({
      from,
      to: way === '#features/' ? `src/features/${rest}` : join(dirname(from), `${way}${rest}`),
      names: names.split(',').flatMap((name) => /^\s*(?:type\s+)?([\w$]+)/.exec(name)?.[1] ?? []),
    })),
  )
}

const featureOf = (file: string): string | undefined => /^src\/features\/([^/]+)\//.exec(file)?.[1]

/** Returns the folder of a file within its side of the feature; undefined for a file outside of such folders. */
const roomOf = (file: string): string | undefined =>
  /^src\/features\/([^/]+\/(?:server|web)\/[^/]+)/.exec(file)?.[1] ?? undefined

/** Rooms of a feature that lead back to themselves through others of it. */
function knotsOf(imports: readonly Import[]): string[] {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [here, there] = [roomOf(from), roomOf(to)]
    if (!here || !there || here === there || featureOf(from) !== featureOf(to)) continue
    graph.set(here, (graph.get(here) ?? new Set()).add(there))
  }
  const reach = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of graph.get(room) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  return [...graph.keys()].filter((room) => reach(room).has(room)).toSorted()
}

const imports = importsOf(root)

// Rooms that still lead back to themselves: the list becomes shorter, never longer.
const KNOTS: readonly string[] = []

test('a way back to the same folder over another one is found, over types and what is loaded later', () => {
  const made = mkdtempSync(join(tmpdir(), 'guiche-rooms-'))
  const files = {
    'one/server/a/a.ts': "import type { B } from '../b/b.ts'",
    'one/server/b/b.ts': "const load = () => import('../c.ts')",
    'one/server/c.ts': "import { a } from './a/a.ts'",
    'one/server/d/d.ts': "import { a } from '../a/a.ts'",
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(made, 'src/features', dirname(file)), { recursive: true })
    writeFileSync(join(made, 'src/features', file), text)
  }
  expect(knotsOf(importsOf(made))).toEqual(['one/server/a', 'one/server/b', 'one/server/c.ts'])
  rmSync(made, { recursive: true })
})

test('no folder of a feature leads back to itself through others: not by types, not by what is loaded later', () => {
  expect(imports.length).toBeGreaterThan(3000)
  expect(knotsOf(imports)).toEqual(KNOTS)
})

test('no door of a feature exports more than 25 names', () => {
  const doors = globSync('src/features/*/{server,web}/{,*/}index.{ts,tsx}', { cwd: root })
  expect(doors.length).toBeGreaterThan(60)
  const wide = doors.flatMap((door) => {
    const text = readFileSync(join(root, door), 'utf8')
    const passed = [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      names.split(',').filter((name) => name.trim()),
    )
    const own = [...text.matchAll(/^export (?:async )?(?:function|const|type|class|interface) \w+/gm)]
    expect(text, door).not.toMatch(/^export \*/m)
    const count = passed.length + own.length
    return count > MOST_NAMES ? [`${door}: ${count}`] : []
  })
  expect(wide).toEqual([])
})

test('no folder of a browser’s side gives other features more than 25 names', () => {
  const given = new Map<string, Set<string>>()
  for (const { from, to, names } of imports) {
    if (featureOf(from) === featureOf(to) || !/\/web\//.test(to) || /\/index\.tsx?$/.test(to)) continue
    const folder = dirname(to)
    const known = given.get(folder) ?? new Set()
    for (const name of names.length > 0 ? names : [to]) known.add(`${to} ${name}`)
    given.set(folder, known)
  }
  expect(given.size).toBeGreaterThan(5)
  expect([...given].filter(([, names]) => names.size > MOST_NAMES).map(([folder, { size }]) => [folder, size])).toEqual(
    [],
  )
})

test('no feature has more than 12,000 lines without its tests', () => {
  const lines = new Map<string, number>()
  for (const file of globSync('src/features/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] })) {
    const feature = featureOf(file)!
    lines.set(feature, (lines.get(feature) ?? 0) + readFileSync(join(root, file), 'utf8').split('\n').length - 1)
  }
  expect(lines.size).toBeGreaterThan(40)
  expect([...lines].filter(([, count]) => count > MOST_LINES)).toEqual([])
})

/** Returns the paths of the checkout that a text names, each up to its first pattern. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./#@-])(?:src|test|db|bench|scripts|docs)\/[\w./-]*[\w-]/g)].map(([path]) => path)

test.each([
  'test/specification.json',
  'vitest.config.ts',
  '.dependency-cruiser.cjs',
  'knip.json',
  'biome.json',
  'vite.chunks.ts',
  'vite.scripts.ts',
  'vite.server.config.ts',
  'scripts/rounds.mjs',
  'test/super-linear.test.ts',
  'docs/limits.md',
])('every path in %s is a file or a folder', (file) => {
  const paths = [...new Set(pathsIn(readFileSync(join(root, file), 'utf8')))]
  // The rest after a pattern is no part of a name.
  const isThere = (path: string) => existsSync(join(root, path)) || globSync(`${path}*`, { cwd: root }).length > 0
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})
