import { build, defineConfig, type Plugin } from 'vite'
import { packedAssets } from './vite.plugins.ts'

const target = ['chrome111', 'edge111', 'firefox113', 'safari16.4']

/** The loader: one classic script without a hash, because customers' pages name it. */
const loader = (): Plugin => ({
  name: 'guiche-loader',
  async generateBundle() {
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      build: {
        target,
        write: false,
        rolldownOptions: { input: 'src/widget/loader.ts', output: { format: 'iife', entryFileNames: 'guiche.js' } },
      },
    })
    for (const { output } of Array.isArray(built) ? built : 'output' in built ? [built] : []) {
      this.emitFile({ type: 'asset', fileName: 'guiche.js', source: output[0].code })
    }
  },
})

/** The webchat of customers' sites → `dist/widget`: `guiche.js`, `frame.html` and its hashed assets, packed as well. */
export default defineConfig({
  root: 'src/widget',
  base: '/widget/',
  publicDir: false,
  html: { cspNonce: '%NONCE%' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [loader(), packedAssets()],
  build: {
    target,
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari18'],
    outDir: '../../dist/widget',
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: { input: 'src/widget/frame.html' },
  },
})
