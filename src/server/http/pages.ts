import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#kit/errors.ts'
import type { Parts } from '../parts.ts'
import type { Platform } from '../platform.ts'
import { sendPage } from './security.ts'

/** A worker runs under the policy that it came with: it fetches from here, and runs nothing else. */
const workerPolicy = "default-src 'none'; connect-src 'self'"

/** Serves the built interface: hashed assets for ever, the login page on its own, the application for every other path. */
export async function servePages({ http }: Parts, platform: Platform, boot: (host: string) => Promise<object>) {
  const root = resolve(platform.env.WEB_DIST, 'web')
  if (!existsSync(join(root, 'index.html'))) {
    http.setNotFoundHandler(() => {
      throw new AppError('ERR_NOT_FOUND')
    })
    return
  }
  const page = (name: string) => readFileSync(join(root, name), 'utf8')
  const pages = { app: page('index.html'), login: page('login.html') }
  await http.register(fastifyStatic, {
    root: join(root, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
  })
  // Addresses of pages before the login may carry one-time codes: they are told to nobody, not even to ourselves.
  const sendLogin = async (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(request, reply.header('referrer-policy', 'no-referrer'), pages.login, await boot(request.hostname))
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
  const files = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.html$/.test(entry.name),
  )
  for (const { name } of files) {
    http.get(`/${name}`, (_, reply) => {
      if (name === 'sw.js') reply.header('content-security-policy', workerPolicy)
      return reply.sendFile(name, root, { cacheControl: true, maxAge: 0 })
    })
  }
  http.setNotFoundHandler(async (request, reply) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(api|assets|widget|socket\.io)(\/|$)/.test(request.url)
    if (!isPage) throw new AppError('ERR_NOT_FOUND')
    const { tokenSetup } = request.query as Record<string, unknown>
    if (tokenSetup) return sendLogin(request, reply)
    return sendPage(request, reply, pages.app, await boot(request.hostname))
  })
}
