import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The nonce of this answer's scripts and styles. */
    nonce: string
  }
}

/** Headers of every answer; pages replace the content policy with one that carries their nonce. */
export function addSecurityHeaders(http: FastifyInstance, version: string) {
  http.decorateRequest('nonce', '')
  http.addHook('onRequest', async (request, reply) => {
    request.nonce = randomBytes(16).toString('base64')
    reply.headers({
      'x-guiche-version': version,
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(self), microphone=(self), geolocation=(self), interest-cohort=()',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    })
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
  })
}

/**
 * The content policy of our own pages: nothing from elsewhere, scripts and styles by nonce (no CDN). Only our own pages
 * may frame them: the channel lab shows the attendance screen beside its phones.
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
    "connect-src 'self' ws: wss:",
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
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
  boot: object,
  frameAncestors?: string,
) {
  const json = JSON.stringify(boot).replaceAll('<', '\\u003c')
  reply.header('content-security-policy', pagePolicy(request.nonce, frameAncestors))
  reply.header('cache-control', 'no-store')
  if (frameAncestors) reply.removeHeader('x-frame-options')
  else reply.header('x-frame-options', 'SAMEORIGIN')
  return reply
    .type('text/html; charset=utf-8')
    .send(html.replaceAll('%NONCE%', request.nonce).replaceAll('%BOOT%', () => json))
}
