import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Headers of an answer beside its type, length and tag. */
type Headers = Readonly<Record<string, string>>

/**
 * Serves built files. Every file that exists at the start gets an address below `prefix`; requests are matched against
 * these names and never become paths. Precompressed copies (`.br`, `.gz`) are sent to clients that accept them. Pages
 * are not served here: they are returned as text by name, for `sendPage`; none if nothing was built.
 */
export async function serveBuilt(
  http: FastifyInstance,
  folder: string,
  prefix: string,
  headersOf: (name: string) => Headers,
): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(folder)) return new Map()
  const names = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((name) => !/(^|\/)\.|\.(html|br|gz)$/.test(name)),
  )
  await http.register(async (door) => {
    await door.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      setHeaders: (reply, path) => void reply.headers(headersOf(relative(folder, path).replace(/\.(br|gz)$/, ''))),
    })
    // One route for all files: a route for each of some hundred files was a tenth of the start.
    door.get<{ Params: { '*': string } }>(`${prefix}*`, (request, reply) => {
      const name = request.params['*']
      return names.has(name) ? reply.sendFile(name) : reply.callNotFound()
    })
  })
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
  return new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** `Cache-Control` of files whose name changes with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
