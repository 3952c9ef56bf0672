import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { fail } from '#kit/errors.ts'

/** Returns the headers of every answer, also of those sent before routing. */
export const securityHeaders = (version: string, requestId: string = randomUUID()): Record<string, string> => ({
  'x-guiche-version': version,
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(self), geolocation=(self)',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
})

/** Adds headers to every answer and refuses changing requests from other origins. */
export function addSecurity(http: FastifyInstance, version: string, publicUrl: string | undefined) {
  http.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders(version, request.id))
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    if (changes && !isFromOurPage(request.headers, request.host, publicUrl)) fail('ERR_NO_PERMISSION')
  })
}

/**
 * Whether a request comes from a page of this product, by headers that pages cannot write. Programs send no such headers and
 * pass: cookies are not attached to their requests.
 */
export function isFromOurPage(headers: IncomingHttpHeaders, host: string, publicUrl?: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || (publicUrl !== undefined && new URL(publicUrl).origin === origin)
}

/**
 * Returns the content policy of our own pages: nothing from elsewhere, scripts and styles by nonce (no CDN). Only our own
 * pages may frame them: the channel lab shows the attendance screen beside its phones.
 */
export function pagePolicy(nonce: string, frameAncestors = "'self'"): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Style attributes carry positions of virtual lists and colours of tags; they cannot run anything.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    // This origin, its websockets included.
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}

/** Sends a built page with its nonce and its boot data in place of the two placeholders. */
export function sendPage(reply: FastifyReply, html: string, boot: object, frameAncestors?: string) {
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c')
  const nonce = randomBytes(16).toString('base64')
  reply.header('content-security-policy', pagePolicy(nonce, frameAncestors))
  reply.header('cache-control', 'no-store')
  if (frameAncestors) reply.removeHeader('x-frame-options')
  else reply.header('x-frame-options', 'SAMEORIGIN')
  return reply.type('text/html; charset=utf-8').send(html.replaceAll('%NONCE%', nonce).replaceAll('%BOOT%', () => json))
}
