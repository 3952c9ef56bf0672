import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstScreen } from './vite.chunks.ts'
import { channelLooks, chunkList, packedAssets, stylesOfComponents } from './vite.plugins.ts'
import { pageScript, serviceWorker } from './vite.scripts.ts'

/**
 * The browser side, built to `dist/web` with a manifest (`.vite/manifest.json`) and hashed files under `/assets/`.
 *
 * Contract with the server, which renders the two pages (`index.html` for the product, `login.html` for `/login`,
 * `/signup`, `/reset/…` and everything else without a session):
 * - every `%NONCE%` is replaced by the request's nonce; the page's policy is
 *   `script-src 'self' 'nonce-…'; style-src 'self' 'nonce-…'`. All script, style and preload tags carry it, and
 *   `<meta property="csp-nonce" nonce="…">` hands it to styles that are made at run time.
 * - `%BOOT%` is replaced by JSON inside `<script type="application/json" id="boot">`, with `<` written as `\u003c`:
 *   `{ version: string, publicKey: string | null, colors: Record<string, string>[] }` (src/web/start/boot.ts reads it).
 * - answers under `/assets/` never change (`immutable`); the pages themselves are `no-store`.
 */
export default defineConfig({
  plugins: [
    react(),
    placeholders(),
    channelLooks(),
    stylesOfComponents(),
    pageScript(),
    serviceWorker(),
    packedAssets(),
    chunkList(),
  ],
  html: { cspNonce: '%NONCE%' },
  resolve: {
    alias: [{ find: /^@tabler\/icons-react$/, replacement: '@tabler/icons-react/dist/esm/icons/index.mjs' }],
  },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // A page preloads everything it begins with. The imports of a screen are requested when it is opened, except for the one
    // that most people open first: otherwise the lists of all screens would be in the first bytes of each.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, all, { hostType }) =>
        hostType === 'html' || /attendance/.test(file) ? all : all.filter((one) => one.endsWith('.css')),
    },
    rolldownOptions: {
      input: ['index.html', 'login.html'],
      output: { codeSplitting: { groups: [firstScreen()] } },
      // A feature's index may name its heavy parts: pages that do not use them do not load them.
      treeshake: {
        moduleSideEffects: [{ test: /\/src\/(features|kit|domain|web\/ui)\/.+\.tsx?$/, sideEffects: false }],
      },
    },
  },
  server: {
    proxy: {
      '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:3000' },
      '/socket.io': { target: process.env.API_URL ?? 'http://127.0.0.1:3000', ws: true },
    },
  },
})

/**
 * Serves pages in development, without a page renderer: fills the two placeholders with empty values and `/login` with its
 * page.
 */
function placeholders(): Plugin {
  return {
    name: 'guiche-placeholders',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (/^\/(login|signup|masterkey|reset\/|auth\/|gmail\/)/.test(request.url ?? '')) request.url = '/login.html'
        next()
      })
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace('%BOOT%', '{"version":"dev","publicKey":null,"colors":[]}').replaceAll('%NONCE%', ''),
    },
  }
}
