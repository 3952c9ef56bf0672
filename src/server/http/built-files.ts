import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** What an answer carries beside its type, length and tag. */
type Headers = Readonly<Record<string, string>>

/**
 * The one door for built files. Each file that lies in the folder at the start gets an address of its own below
 * `prefix`, and there is no other: what somebody asks for is compared with those, never made into a path. The packed
 * copies beside a file (`.br`, `.gz`) go to whoever understands them. Pages are no files: they are answered here by
 * name, as text, for `sendPage`; none where nothing was built.
 */
export async function serveBuilt(
  http: FastifyInstance,
  folder: string,
  prefix: string,
  headersOf: (name: string) => Headers,
): Promise<ReadonlyMap<string, string>> {
  if (!existsSync(folder)) return new Map()
  await http.register(fastifyStatic, {
    root: folder,
    prefix,
    wildcard: false,
    decorateReply: false,
    index: false,
    globIgnore: ['**/*.{html,br,gz}'],
    preCompressed: true,
    setHeaders: (reply, path) => void reply.headers(headersOf(relative(folder, path).replace(/\.(br|gz)$/, ''))),
  })
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
  return new Map(pages.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** How long a browser keeps a file whose name changes with what is in it. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
