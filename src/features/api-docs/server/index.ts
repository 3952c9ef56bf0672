import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Feature } from '#server/feature.ts'
import { sendPage } from '#server/http/security.ts'
import { page } from './page.ts'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The files of the reference, from our own origin. */
const types: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** The page on which every operation can be read and tried; it may be framed by the product alone. */
export const apiDocsFeature: Feature = {
  name: 'api-docs',
  attach(_, { http }) {
    const packed = new Map<string, Buffer>()
    const read = (name: string): Buffer => {
      const known = packed.get(name) ?? gzipSync(readFileSync(join(folder, name)))
      packed.set(name, known)
      return known
    }
    http.get('/api/docs', (request, reply) => sendPage(request, reply, page, {}, "'self'"))
    for (const [name, type] of Object.entries(types)) {
      http.get(`/api/docs/${name}`, (_request, reply) =>
        reply
          .headers({ 'content-type': type, 'content-encoding': 'gzip', 'cache-control': 'public, max-age=86400' })
          .send(read(name)),
      )
    }
  },
}
