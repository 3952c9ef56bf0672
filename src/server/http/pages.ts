import { resolve } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldIn } from '#domain/keys.ts'
import { AppError } from '#kit/errors.ts'
import type { Parts } from '../parts.ts'
import type { Platform } from '../platform.ts'
import { IMMUTABLE, serveBuilt } from './built-files.ts'
import { sendPage } from './security.ts'

/** Content policy of a worker: it fetches from this origin, and runs nothing else. */
const workerPolicy = "default-src 'none'; connect-src 'self'"

/**
 * Serves the built interface: hashed assets with a permanent cache, the login page on its own, the application for every
 * other path.
 */
export async function servePages({ http }: Parts, platform: Platform, boot: (host: string) => Promise<object>) {
  const built = await serveBuilt(http, resolve(platform.env.WEB_DIST, 'web'), '/', (name) => ({
    'cache-control': name.startsWith('assets/') ? IMMUTABLE : 'public, max-age=0',
    ...(name === 'sw.js' && { 'content-security-policy': workerPolicy }),
  }))
  const [app, login] = [built.get('index.html'), built.get('login.html')]
  if (!app || !login) {
    http.setNotFoundHandler(() => {
      throw new AppError('ERR_NOT_FOUND')
    })
    return
  }
  // Addresses of pages before the login may contain one-time codes; they are never logged.
  const sendLogin = async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply.header('referrer-policy', 'no-referrer'), login, await boot(request.hostname))
  for (const path of [
    '/login',
    '/masterkey',
    '/signup',
    '/reset',
    '/reset/:token',
    '/auth/google/callback',
    '/gmail/callbackUrlBack',
  ])
    http.get(path, sendLogin)
  http.setNotFoundHandler(async (request, reply) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^([a-z]+:\/\/[^/]*)?\/(api|assets|widget|socket\.io)([/?#]|$)/i.test(request.url)
    if (!isPage) throw new AppError('ERR_NOT_FOUND')
    if (fieldIn(request.query, 'tokenSetup')) return sendLogin(request, reply)
    return sendPage(reply, app, await boot(request.hostname))
  })
}
