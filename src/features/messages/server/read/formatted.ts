import type { FastifyInstance } from 'fastify'
import { findFormatted } from '#features/ledger/server/messages/index.ts'
import { fail } from '#kit/errors.ts'
import type { Platform } from '#server/platform.ts'
import { claimTo, readClaim } from '#server/signed-claims.ts'

const LINK_MS = 600_000

/** Returns a signed link to the formatted text of a message, valid for 10 to 20 minutes. */
export const formattedUrl = (platform: Platform, tenantId: number, messageId: string): string =>
  `/api/formatted/${claimTo(platform, 'formatted', tenantId, messageId, LINK_MS)}`

// Content security policy without scripts, forms or origin: the content comes from strangers.
const policyOf = (pictures: string): string =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    ...["default-src 'none'", "style-src 'unsafe-inline'", `img-src data:${pictures}`],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"],
  ].join('; ')

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:16px;color:#1a1a1a;background:#fff;overflow-wrap:anywhere}' +
  'img{max-width:100%;height:auto}table{max-width:100%}blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #ccc}'

/**
 * Serves formatted texts for frames of our pages; the signature of the claim is the permission. `pictures` permits external
 * pictures.
 */
export function showFormatted(platform: Platform, http: FastifyInstance): void {
  type Asked = { Params: { claim: string }; Querystring: { pictures?: string } }
  http.get<Asked>('/api/formatted/:claim', async ({ params, query }, reply) => {
    const { tenantId, id } = readClaim(platform, 'formatted', params.claim)
    const html = await platform.db.read(tenantId, (db) => findFormatted(db, id))
    if (html === undefined) return fail('ERR_NOT_FOUND')
    const isAsked = query.pictures === '1'
    reply.removeHeader('x-frame-options')
    reply.headers({
      'content-security-policy': policyOf(isAsked ? ' https: http:' : ''),
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'private, no-store',
    })
    // Only the sanitizer writes this attribute: texts contain no raw `<`.
    const shown = isAsked ? html.replaceAll('<img data-src=', '<img src=') : html
    const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>E-mail</title><style>${STYLE}</style><body>${shown}</body></html>`
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
