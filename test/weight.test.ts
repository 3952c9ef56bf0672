import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { flows } from '#features/flows/addresses.ts'
import { opportunities, pipelines } from '#features/funnel/addresses.ts'
import { board } from '#features/kanban/board-addresses.ts'
import { build } from '../scripts/prepare.mjs'
import type { BuiltChunk as Chunk } from '../vite.plugins.ts'
import { preloadedScreens } from '../vite.scripts.ts'

const kB = 1000
const web = 'dist/web'
const files = new Map<string, Chunk>()

beforeAll(async () => {
  await build(process.execPath)
  for (const chunk of JSON.parse(readFileSync(`${web}/.vite/chunks.json`, 'utf8')) as Chunk[])
    files.set(chunk.fileName, chunk)
}, 120_000)

const chunks = () => [...files.values()]
const contentOf = (name: string) => readFileSync(`${web}/${name}`)

/** The chunk of a page or of a lazily loaded module. */
function chunkOf(source: string): Chunk {
  const found = chunks().find(
    (chunk) => (chunk.isEntry || chunk.isDynamicEntry) && chunk.facadeModuleId?.endsWith(source),
  )
  if (!found) throw new Error(`${source} has no chunk of its own`)
  return found
}

/** The chunks and all that they import before they run. */
function withImports(...roots: Chunk[]): Set<Chunk> {
  const seen = new Set<Chunk>(roots)
  for (const chunk of seen) for (const name of chunk.imports) seen.add(files.get(name)!)
  return seen
}

/** Asked for when the first screen is drawn. */
const socketLibrary = 'socket.io-client/build/esm/index.js'

/** Bytes after gzip. */
function weight(all: Iterable<Chunk>): { js: number; css: number } {
  const list = [...all]
  const packed = (name: string) => gzipSync(contentOf(name)).length
  const sum = (names: Iterable<string>) => [...names].reduce((bytes, name) => bytes + packed(name), 0)
  return { js: sum(list.map(({ fileName }) => fileName)), css: sum(new Set(list.flatMap(({ css }) => css))) }
}

test('the login page is light', () => {
  const { js, css } = weight(withImports(chunkOf('login.html')))
  expect(js).toBeGreaterThan(50 * kB) // it was found at all
  expect(js).toBeLessThanOrEqual(117 * kB)
  expect(css).toBeLessThanOrEqual(30 * kB)
})

test('the attendance screen stays within its bytes', () => {
  const all = withImports(chunkOf('index.html'), chunkOf('attendance/web/attendance.tsx'))
  const { js, css } = weight(all)
  expect(js).toBeGreaterThan(150 * kB)
  expect(js).toBeLessThanOrEqual(231.5 * kB)
  expect(css).toBeGreaterThan(10 * kB)
  expect(css).toBeLessThanOrEqual(30 * kB)
})

test('what it loads by itself besides, before anybody has touched the page, is little', () => {
  const asked = globSync('src/features/*/web/index.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdeferred\(async \(\) => \(await import\('([^']+)'\)/g)].map(([, path]) =>
      join('/', dirname(file), path!),
    ),
  )
  expect(asked.length).toBeGreaterThan(0)
  const modules = [...asked, '/src/web/start/afterwards.ts', socketLibrary]
  const later = modules.map(
    (id) => chunks().find(({ moduleIds }) => moduleIds.some((one) => one.endsWith(id))) as Chunk,
  )
  const all = withImports(chunkOf('index.html'), chunkOf('attendance/web/attendance.tsx'), ...later)
  expect(weight(all).js).toBeLessThanOrEqual(252.5 * kB)
})

test('so is what an administrator’s page loads by itself, in few files, of which none is for the first touch alone', () => {
  const parts = [
    'web/start/afterwards.ts',
    socketLibrary,
    'attendance/web/alerts/alerts.ts',
    'messages/web/composer/draft-sync.ts',
    ...['list/ListTools.tsx', 'views/SavedViews.tsx', 'list/StageOf.tsx'].map((name) => `tickets/web/${name}`),
    'auth/web/SupportBar.tsx',
    'connections/web/OutageBar.tsx',
  ]
  const later = parts.map(
    (name) => chunks().find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(name))) as Chunk,
  )
  const all = withImports(chunkOf('index.html'), chunkOf('attendance/web/attendance.tsx'), ...later)
  expect(weight(all).js).toBeLessThanOrEqual(256.5 * kB)
  expect(all.size).toBeLessThanOrEqual(18)
  const touched = [...all]
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => /attendance\/web\/commands\/commands\.ts$/.test(id))
  expect(touched).toEqual([])
})

test('the first screen comes in few files, and each may wait for those before it alone', () => {
  const all = withImports(chunkOf('index.html'), chunkOf('attendance/web/attendance.tsx'))
  expect(all.size).toBeLessThanOrEqual(12)
  // Files in an import cycle run before their imports are ready.
  const inCircle = chunks().filter((chunk) => chunk.imports.some((name) => withImports(files.get(name)!).has(chunk)))
  expect(inCircle.map(({ fileName }) => fileName)).toEqual([])
})

test('whatever the login page loads, it never runs the product', () => {
  const login = chunkOf('login.html')
  const seen = withImports(login, ...login.dynamicImports.map((name) => files.get(name)!))
  expect(seen).toContain(chunkOf('auth/web/Setup.tsx'))
  expect([...seen].map(({ name }) => name)).not.toContain(chunkOf('index.html').name)
})

test('what comes with the first touch comes in few files', () => {
  const first = withImports(chunkOf('index.html'), chunkOf('attendance/web/attendance.tsx'))
  const touched = withImports(chunkOf('attendance/web/first-use.ts'), chunkOf('panel/ContextPanel.tsx'))
  expect([...touched].filter((chunk) => !first.has(chunk)).length).toBeLessThanOrEqual(6)
})

test('the page names what it begins with; its own script is light, and names the rest of the screens opened by address', () => {
  const page = String(contentOf('index.html'))
  const [own = ''] = page.match(/<script nonce="%NONCE%">\(function.+?<\/script>/s) ?? []
  expect(gzipSync(own).length).toBeLessThanOrEqual(3.2 * kB)
  const first = withImports(chunkOf('index.html'))
  const links = [...page.matchAll(/<(?:link rel="modulepreload"|script type="module")[^>]+(?:href|src)="\/([^"]+)"/g)]
  expect(new Set(links.map(([, name]) => name))).toEqual(new Set([...first].map(({ fileName }) => fileName)))
  const modules = ['attendance/web/attendance.tsx', ...preloadedScreens.flatMap((screen) => screen.modules)]
  const rest = [...withImports(...modules.map(chunkOf))].filter((chunk) => !first.has(chunk))
  const sheets = rest.flatMap((chunk) => chunk.css)
  const ahead = [...own.matchAll(/\/(assets\/[\w.-]+\.(?:js|css))/g)].map(([, name = '']) => name)
  expect(new Set(ahead)).toEqual(new Set([...rest.map(({ fileName }) => fileName), ...sheets]))
})

test('what such a screen reads first is an address of the API, and of the screen that asks for it', () => {
  expect(preloadedScreens.map(({ reads }) => reads)).toEqual([
    [flows.get.path.replace(':id', '{id}')],
    [board.get.path],
    [pipelines.list.path, opportunities.board.path],
  ])
})

test('no chunk that comes later is heavier than its share', () => {
  const first = withImports(chunkOf('index.html'), chunkOf('login.html'))
  const special = [
    ['emoji-picker-react', 90],
    ['@xyflow/react', 120],
    ['recharts', 135],
    ['@mantine/schedule', 80],
    ['mediabunny', 140],
  ] as const
  const share = ({ moduleIds }: Chunk) =>
    (special.find(([name]) => moduleIds.some((id) => id.includes(`/${name}/`)))?.[1] ?? 50) * kB
  const heavy = chunks().filter((chunk) => !first.has(chunk) && weight([chunk]).js > share(chunk))
  expect(heavy.map(({ fileName }) => fileName)).toEqual([])
})

test('the builder of chat flows comes with its own screen alone, within its bytes; its panels come behind the canvas', () => {
  const first = withImports(chunkOf('index.html'), chunkOf('login.html'), chunkOf('attendance/web/attendance.tsx'))
  const opening = withImports(chunkOf('flows/web/builder/Builder.tsx'), chunkOf('flows/web/builder/Canvas.tsx'))
  const builder = new Set([...opening, ...withImports(chunkOf('flows/web/builder/Panels.tsx'))])
  const panels = /builder\/(StepPanel|Simulator|CasesPanel)\.tsx$/
  expect([...opening].flatMap(({ moduleIds }) => moduleIds).filter((id) => panels.test(id))).toEqual([])
  expect([...opening].filter((chunk) => !withImports(chunkOf('index.html')).has(chunk)).length).toBeLessThanOrEqual(14)
  const drawing = (all: Iterable<Chunk>) =>
    [...all].filter(({ moduleIds }) => moduleIds.some((id) => /\/(@xyflow|@dagrejs)\//.test(id)))
  expect(drawing(first)).toEqual([])
  expect(drawing(builder)).toHaveLength(1)
  expect(drawing(withImports(chunkOf('flows/web/builder/Builder.tsx')))).toEqual([])
  const shared = withImports(chunkOf('index.html'), chunkOf('flows/web/Flows.tsx'))
  expect(weight([...builder].filter((chunk) => !shared.has(chunk))).js).toBeLessThanOrEqual(100 * kB)
})

test('no first screen brings schemas: they come with the first form', () => {
  const first = withImports(chunkOf('index.html'), chunkOf('login.html'), chunkOf('attendance/web/attendance.tsx'))
  const schemas = /\/node_modules\/zod\/|\/src\/features\/[^/]+\/forms\.ts$/
  const modules = (all: Iterable<Chunk>) => [...all].flatMap(({ moduleIds }) => moduleIds)
  expect(modules(chunks()).filter((id) => schemas.test(id))).not.toEqual([])
  expect(modules(first).filter((id) => schemas.test(id))).toEqual([])
})
