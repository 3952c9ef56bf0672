import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '#kit/errors.ts'
import { sendPage } from '#server/http/security.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import { channelOf } from './visitors.ts'

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }
const zip = promisify(gzip)

type Held = { changedAt: number; plain: Buffer; packed: Buffer; etag: string }

/** Files of the built widget, read and packed once and again when they change. */
function openFiles(root: string) {
  const held = new Map<string, Held>()
  return async (name: string): Promise<Held> => {
    const path = join(root, name)
    const { mtimeMs } = await stat(path).catch(() => fail('ERR_NOT_FOUND'))
    const known = held.get(name)
    if (known?.changedAt === mtimeMs) return known
    const plain = await readFile(path)
    const packed = await zip(plain, { level: 9 })
    const fresh = { changedAt: mtimeMs, plain, packed, etag: `"${mtimeMs.toString(36)}-${plain.length.toString(36)}"` }
    held.set(name, fresh)
    return fresh
  }
}

/** Who may frame a channel's conversation: the company's sites and this installation; any site when none is named. */
const ancestors = (domains: readonly string[]): string => (domains.length === 0 ? '*' : `'self' ${domains.join(' ')}`)

/** Serves the loader, our frame and its assets, and a page on which the product shows how a channel works on a site. */
export function serveWidget(platform: Platform, { http }: Parts): void {
  const file = openFiles(resolve(platform.env.WEB_DIST, 'widget'))

  const send = (cacheControl: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const name = request.url.replace(/^\/widget\/|\?.*$/g, '')
    const { plain, packed, etag } = await file(name)
    reply.headers({
      'content-type': TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'cache-control': cacheControl,
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'accept-encoding',
      etag,
    })
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(packed)
  }
  http.get('/widget/guiche.js', send('public, max-age=300, stale-while-revalidate=86400'))
  http.get('/widget/assets/:name', send('public, max-age=31536000, immutable'))

  http.get<{ Querystring: { token?: string } }>('/widget/frame', async (request, reply) => {
    const { domains } = await channelOf(platform, request.query.token ?? '')
    const { plain } = await file('frame.html')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendPage(request, reply, plain.toString('utf8'), {}, ancestors(domains))
  })
  http.get<{ Querystring: { token?: string } }>('/widget/preview', async (request, reply) => {
    await channelOf(platform, request.query.token ?? '')
    return sendPage(request, reply, previewPage(request.query.token!), {}, "'self'")
  })
}

/** A customer's site in outline, with the channel's code on it; the token was found, so it is one of ours. */
const previewPage = (token: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Seu site com o webchat</title>
<style nonce="%NONCE%">
html{color-scheme:light dark;background:light-dark(#fff,#17151a)}
body{margin:0;padding:28px 24px;font:14px system-ui,sans-serif;color:light-dark(#706877,#9c93a2)}
i{display:block;height:12px;margin:0 0 12px;border-radius:6px;background:light-dark(#efeae4,#26212b);max-width:560px}
i.t{height:26px;width:46%}i.b{height:160px;max-width:none;border-radius:12px}i.s{width:64%}
</style>
</head>
<body>
<i class="t"></i><i></i><i></i><i class="s"></i><i class="b"></i><i></i><i class="s"></i>
<script async src="/widget/guiche.js" data-token="${encodeURIComponent(token)}" nonce="%NONCE%"></script>
</body>
</html>`
