import { createHash } from 'node:crypto'
import { build, type Plugin, type Rolldown } from 'vite'

/** One classic script from a module and all that it imports. */
async function classic(input: string, define: Readonly<Record<string, unknown>>): Promise<string> {
  const values = Object.entries(define).map(([name, value]) => [name, JSON.stringify(value)] as const)
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: Object.fromEntries(values),
    build: {
      target: 'es2022',
      write: false,
      rolldownOptions: { input, output: { format: 'iife' }, treeshake: { moduleSideEffects: [input] } },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: ReadonlySet<string> } }

/** The files that a module of the build begins with, itself included, scripts before sheets. */
function filesOf(bundle: Bundle, module: string): Set<string> {
  const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk')
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (!first) throw new Error(`the build begins nothing with ${module}`)
  const files = new Set([first.fileName])
  for (const name of files) for (const next of (bundle[name] as Chunk).imports) files.add(next)
  const sheets = [...files].flatMap((name) => [...((bundle[name] as Chunk).viteMetadata?.importedCss ?? [])])
  return new Set([...files, ...sheets])
}

/** Large screens besides attendance that are opened by their address: their modules, and their first requests. */
export const preloadedScreens = [
  {
    path: '/chat-flow/builder',
    modules: ['/flows/web/builder/Builder.tsx', '/flows/web/builder/Canvas.tsx'],
    reads: ['/chat-flow/{id}'],
  },
  { path: '/kanban/kanbans', modules: ['/kanban/web/Board.tsx'], reads: ['/contactsKanban'] },
  { path: '/funil/kanban', modules: ['/funnel/web/FunnelBoard.tsx'], reads: ['/pipelines', '/opportunities/board'] },
]

/**
 * Writes the page's own script into `index.html`: it requests the attendance screen's files and first data while the product
 * itself loads, and so for `preloadedScreens`.
 */
export function pageScript(): Plugin {
  return {
    name: 'guiche-page-script',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const page = bundle['index.html'] as Rolldown.OutputAsset
        const named = filesOf(bundle, '/index.html')
        const restOf = (modules: readonly string[]) => {
          const files = new Set(modules.flatMap((module) => [...filesOf(bundle, module)]))
          return [...files].filter((file) => !named.has(file)).map((file) => `/${file}`)
        }
        const attendance = restOf(['/attendance/web/attendance.tsx'])
        const others = preloadedScreens.map(({ path, modules, reads }) => ({ path, reads, files: restOf(modules) }))
        // Screens share files: each is named once.
        const names = [...new Set([attendance, ...others.map(({ files }) => files)].flat())]
        const numbers = (files: readonly string[]) => files.map((file) => names.indexOf(file))
        const code = await classic('src/features/attendance/web/start/preload.ts', {
          SCREEN_FILES: names,
          ATTENDANCE: numbers(attendance),
          OTHER_SCREENS: others.map((screen) => ({ ...screen, files: numbers(screen.files) })),
        })
        const html = String(page.source)
        if (!html.includes(place)) this.error('index.html has no place for its own script')
        page.source = html.replace(place, () => `<script nonce="%NONCE%">${code.trim()}</script>`)
      },
    },
  }
}

const place = '<!-- early -->'

/** Maximum size in bytes of a lazily loaded file that is cached ahead; larger ones are cached on first use. */
const mostKeptAhead = 150_000

/** Writes `sw.js`: one classic script without a hash, with the addresses of this release's hashed files and its name. */
export function serviceWorker(): Plugin {
  return {
    name: 'guiche-service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const pages = ['index.html', 'login.html'].map((name) => bundle[name] as Rolldown.OutputAsset)
        const assets = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('assets/'))
        const isFirst = ({ fileName }: { fileName: string }) =>
          pages.some(({ source }) => String(source).includes(fileName))
        const ahead = assets.filter((file) => isFirst(file) || sizeOf(file) <= mostKeptAhead)
        const hash = createHash('sha256')
        for (const { fileName } of assets) hash.update(fileName)
        for (const { source } of pages) hash.update(source)
        const source = await classic('src/worker/sw.ts', {
          RELEASE: hash.digest('hex').slice(0, 12),
          ASSETS: ahead.map(({ fileName }) => `/${fileName}`),
        })
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}

const sizeOf = (file: Rolldown.OutputAsset | Rolldown.OutputChunk): number =>
  Buffer.byteLength(file.type === 'chunk' ? file.code : file.source)
