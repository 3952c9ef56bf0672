import { isPreview, linksIn } from '#domain/campaigns/links.ts'
import { textFieldIn } from '#domain/keys.ts'
import { fail } from '#kit/errors.ts'
import { unit } from '#server/context.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import { isSameText } from '#server/secrets.ts'
import { findLinked, markClicked } from './queries-items.ts'

/** Number of characters of a link's signature: 96 bits. */
const SIGNED = 16

type LinkKey = { readonly tenantId: number; readonly itemId: number; readonly at: number }

const signatureOf = ({ secrets }: Pick<Platform, 'secrets'>, { tenantId, itemId, at }: LinkKey): string =>
  secrets.sign(`r/${tenantId}/${itemId}/${at}`).slice(0, SIGNED)

/** Returns the short address of a recipient for a link of their message, by its position; null without a PUBLIC_URL. */
export function shortLink(platform: Pick<Platform, 'env' | 'secrets'>, key: LinkKey): string | null {
  const { PUBLIC_URL } = platform.env
  if (!PUBLIC_URL) return null
  const ids = [key.tenantId, key.itemId, key.at].map((id) => id.toString(36)).join('.')
  return `${PUBLIC_URL.replace(/\/$/, '')}/r/${ids}.${signatureOf(platform, key)}`
}

/**
 * Serves short links: redirects to the link in the message stored with the campaign, and nowhere else; counts each recipient
 * once.
 */
export function serveLinks(platform: Platform, { http }: Parts): void {
  http.get('/r/:token', async (request, reply) => {
    const key = linkOf(platform, textFieldIn(request.params, 'token')) ?? fail('ERR_NOT_FOUND')
    const { tenantId, itemId, at } = key
    const body = await platform.db.read(tenantId, (db) => findLinked(db, itemId))
    const link = linksIn(body ?? '')[at] ?? fail('ERR_NOT_FOUND')
    if (!isPreview(request.headers['user-agent'] ?? ''))
      await unit(platform, { tenantId, user: null }, (ctx) => markClicked(ctx.db, itemId, ctx.now))
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(link)
  })
}

/** Returns the link that a token names; null if its signature is wrong. */
function linkOf(platform: Platform, token: string): LinkKey | null {
  const [, ids = '', signature = ''] = /^([0-9a-z]+\.[0-9a-z]+\.[0-9a-z]+)\.([\w-]{16})$/.exec(token) ?? []
  const [tenantId = 0, itemId = 0, at = 0] = ids.split('.').map((id) => Number.parseInt(id, 36))
  const key = { tenantId, itemId, at }
  return isSameText(signature, signatureOf(platform, key)) ? key : null
}
