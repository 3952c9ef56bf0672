import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { fieldIn } from '#domain/keys.ts'
import { lookUp } from '#domain/present.ts'
import { withoutEnd } from '#domain/text.ts'
import { certificate, certificateKey } from './certificate.ts'

/** Host of encrypted files, with its own certificate for `localhost`. */
export type MediaHost = Awaited<ReturnType<typeof startMediaHost>>

/** Starts the file host. It checks an upload against the hash in its URL, and deletes files only on request. */
export async function startMediaHost(visitors: number[]) {
  const auth = randomBytes(12).toString('hex')
  const files = new Map<string, Buffer>()
  /** Copies of the files on the phones, which are not affected by changes at the host. */
  const originals = new Map<string, Buffer>()
  const uploads: string[] = []

  function put(bytes: Uint8Array): string {
    const path = `/v/${randomBytes(12).toString('hex')}`
    files.set(path, Buffer.from(bytes))
    originals.set(path, Buffer.from(bytes))
    return path
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body?: string | Buffer }> {
    // A key of the maps above, never a path on disk.
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost')
    if (request.method === 'GET') {
      const bytes = files.get(pathname)
      return bytes ? { status: 200, body: bytes } : { status: 410 }
    }
    const bytes = await buffer(request)
    const sum = createHash('sha256').update(bytes).digest('base64url')
    const [, , kind = '', token = ''] = pathname.split('/')
    if (searchParams.get('auth') !== auth) return { status: 401 }
    if (withoutEnd(decodeURIComponent(token), /=/) !== sum) return { status: 400 }
    const path = put(bytes)
    uploads.push(kind)
    return { status: 200, body: JSON.stringify({ url: urlOf(path), direct_path: path }) }
  }

  const server = createServer({ cert: certificate, key: certificateKey }, async (request, response) => {
    visitors.push(request.socket.remotePort!)
    // A malformed address or an aborted upload.
    const { status, body = '' } = await answer(request).catch(() => ({ status: 400, body: '' }))
    response.writeHead(status).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hostname = `localhost:${fieldIn(server.address(), 'port')}`
  const urlOf = (path: string) => `https://${hostname}${path}`

  return {
    hostname,
    /** Authorization token of uploads. */
    auth,
    urlOf,
    put,
    /** Kinds of the uploaded files, in order. */
    uploads,
    /** Returns the bytes stored at a path. */
    get: (path: string): Buffer | undefined => files.get(path),
    /** Deletes the file at a path, as if it had expired. */
    expire: (path: string) => files.delete(path),
    /** Stores a file again; returns its new path. */
    putAgain: (path: string): string => put(lookUp(originals, path)),
    /** Changes a byte of a file. */
    corrupt(path: string) {
      const bytes = lookUp(files, path)
      bytes[bytes.length - 20]! ^= 1
    },
    close: () => closed(server),
  }
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((done) => void server.close(() => done()))
}
