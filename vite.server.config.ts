import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

const parts = readdirSync('db/demo/parts').map((file) => `demo/parts/${file.replace(/\.ts$/, '')}`)

/** Writes letters beyond Latin-1 as escapes: V8 stores a source with a single such letter in twice the memory. */
const latinSources: Plugin = {
  name: 'guiche-latin-sources',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escaped)
    },
  },
}

/** Libraries that each start loads, some of them only with a few of many modules. */
const loadedByStart = [
  ...['fastify', '@fastify/cookie', '@fastify/multipart', '@fastify/static', 'socket.io', 'rate-limiter-flexible'],
  ...['pg', 'kysely', 'graphile-worker', 'zod', 'jose', 'prom-client', '@opentelemetry/api'],
]

/** Packages with all that they depend on, by the lock. */
function withDependencies(packages: string[]): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    for (const other of Object.keys(lock[`node_modules/${name}`].dependencies ?? {})) add(other)
  }
  for (const name of packages) add(name)
  return [...found]
}

/**
 * Builds the server to `dist/server` from hundreds of small files, which take a third of a start to read one by one. The
 * output is two folders below the checkout, as `src/server` is, preserves names and lines for stack traces (each piece is
 * headed by the name of its source), and bundles the libraries that each start loads; the others are loaded from
 * `node_modules`.
 */
export default defineConfig({
  plugins: [latinSources],
  ssr: { noExternal: withDependencies(loadedByStart) },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    copyPublicDir: false,
    minify: false,
    sourcemap: true,
    target: 'node22',
    rolldownOptions: {
      input: {
        main: 'src/server/main.ts',
        app: 'src/server/app.ts',
        'check-worker': 'src/features/contacts/server/imports/check-worker.ts',
        'replay-worker': 'src/features/flows/server/replay-worker.ts',
        'watchdog-thread': 'src/server/watchdog-thread.ts',
        'media-worker': 'src/server/media/media-worker.ts',
        ...Object.fromEntries(parts.map((part) => [part, `db/${part}.ts`])),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
