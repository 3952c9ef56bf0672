import { resolve } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { fieldIn, textFieldIn } from '#domain/keys.ts'
import { fail, required } from '#kit/errors.ts'
import { IMMUTABLE, serveBuilt } from '#server/http/built-files.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import { sendPage } from '#server/http/security.ts'
import type { Parts } from '#server/parts.ts'
import type { Platform } from '#server/platform.ts'
import { previewPage } from './preview-page.ts'
import { channelOf } from './visitors.ts'

/** Returns the CSP `frame-ancestors` of a channel: the company's sites and this installation; any site if none is listed. */
const ancestors = (domains: readonly string[]): string => (domains.length === 0 ? '*' : `'self' ${domains.join(' ')}`)

const forSites = { 'cross-origin-resource-policy': 'cross-origin' }

/** Serves the loader, the frame with its assets, and a preview page of a channel. */
export async function serveWidget(platform: Platform, { http }: Parts): Promise<void> {
  const pages = await serveBuilt(http, resolve(platform.env.WEB_DIST, 'widget'), '/widget/', (name) => ({
    ...forSites,
    'cache-control': name === 'guiche.js' ? 'public, max-age=300, stale-while-revalidate=86400' : IMMUTABLE,
  }))
  const frame = pages.get('frame.html')

  const channelAsked = async ({ query, ip }: FastifyRequest) => {
    await platform.limits.use('widgetOpen', networkOf(ip))
    return channelOf(platform, fieldIn(query, 'token'))
  }
  http.get('/widget/frame', async (request, reply) => {
    const { domains } = await channelAsked(request)
    return sendPage(reply.headers(forSites), required(frame, 'ERR_NOT_FOUND'), {}, ancestors(domains))
  })
  // URL with the ids of company and channel, redirects to the conversation's page.
  http.get('/widget/:tenantId/:wabaId/:token', async (request, reply) => {
    await platform.limits.use('widgetOpen', networkOf(request.ip))
    const [tenantId, wabaId, token] = ['tenantId', 'wabaId', 'token'].map((name) => textFieldIn(request.params, name))
    const channel = await channelOf(platform, token)
    if (String(channel.tenantId) !== tenantId || String(channel.id) !== wabaId) fail('ERR_NO_WAPP_FOUND')
    return reply.redirect(`/widget/frame?token=${encodeURIComponent(channel.token)}`)
  })
  http.get('/widget/preview', async (request, reply) => {
    const { token } = await channelAsked(request)
    return sendPage(reply, previewPage(token), {}, "'self'")
  })
}
