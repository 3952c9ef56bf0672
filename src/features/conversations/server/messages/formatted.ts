import type { FastifyInstance } from 'fastify'
import { fail } from '#kit/errors.ts'
import type { Platform } from '#server/platform.ts'
import { isSameText } from '#server/secrets.ts'
import { findFormatted } from './queries-formatted.ts'

const LINK_MS = 600_000

/** A signed link to the formatted text of a message, good for ten to twenty minutes. */
export function formattedUrl({ secrets, now }: Platform, tenantId: number, messageId: string): string {
  const until = (Math.floor(now().getTime() / LINK_MS) + 2) * LINK_MS
  const claim = `${tenantId}.${messageId}.${until}`
  return `/api/formatted/${claim}.${secrets.sign(`formatted ${claim}`)}`
}

// Nothing runs in it, nothing is sent from it, and it is of no origin: what is looked at is a stranger's.
const policyOf = (pictures: string): string =>
  [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    ...["default-src 'none'", "style-src 'unsafe-inline'", `img-src data:${pictures}`],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'"],
  ].join('; ')

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;margin:16px;color:#1a1a1a;background:#fff;overflow-wrap:anywhere}' +
  'img{max-width:100%;height:auto}table{max-width:100%}blockquote{margin:0 0 0 8px;padding-left:12px;border-left:2px solid #ccc}'

/** Shows formatted texts in frames of our pages; the signature is the permission. `pictures` lets in those from elsewhere. */
export function showFormatted(platform: Platform, http: FastifyInstance): void {
  type Asked = { Params: { claim: string }; Querystring: { pictures?: string } }
  http.get<Asked>('/api/formatted/:claim', async ({ params, query }, reply) => {
    const [tenantId, messageId = '', until, signature = ''] = params.claim.split('.')
    const claim = `formatted ${tenantId}.${messageId}.${until}`
    if (!isSameText(signature, platform.secrets.sign(claim))) fail('ERR_NOT_FOUND')
    if (Number(until) < platform.now().getTime()) fail('ERR_FILE_LINK')
    const html = await platform.db.read(Number(tenantId), (db) => findFormatted(db, messageId))
    if (html === undefined) return fail('ERR_NOT_FOUND')
    const isAsked = query.pictures === '1'
    reply.removeHeader('x-frame-options')
    reply.headers({
      'content-security-policy': policyOf(isAsked ? ' https: http:' : ''),
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'cache-control': 'private, no-store',
    })
    // Only the cleaning writes this: a text has no `<` of its own.
    const shown = isAsked ? html.replaceAll('<img data-src=', '<img src=') : html
    const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><title>E-mail</title><style>${STYLE}</style><body>${shown}</body></html>`
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
