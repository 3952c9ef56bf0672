import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Server as SocketServer } from 'socket.io'
import type { ErrorCode } from '#kit/errors.ts'
import type { Parts } from '../parts.ts'
import type { Platform } from '../platform.ts'
import { guardConnections } from '../realtime/connection-guard.ts'
import { answerError } from './answer-error.ts'
import { addBodies } from './bodies.ts'
import { closeIdleConnections } from './idle-connections.ts'
import { addSecurity, isFromOurPage, securityHeaders } from './security.ts'

/** Creates the HTTP server and the realtime server on one port, without routes. */
export async function createHttp(platform: Platform, constraints: Readonly<Record<string, ErrorCode>>): Promise<Parts> {
  const { env, log, version } = platform
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, constraints, log)
  const http: FastifyInstance = fastify({
    logger: false,
    // Trusts one proxy: earlier entries of the address list come from clients and are not trusted.
    trustProxy: env.TRUST_PROXY && ((_address, hop) => hop === 0),
    genReqId: () => randomUUID(),
    // No route has a Fastify schema: without this its two compilers, a hundred modules, would be loaded all the same.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestTimeout: 320_000,
    forceCloseConnections: 'idle',
    // Maximum length of a file's name in its link: 180 letters of up to twelve characters.
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 3000 },
    frameworkErrors: (error, request, reply) =>
      answer(error, request, reply.headers(securityHeaders(version, request.id))),
  })
  addSecurity(http, version, env.PUBLIC_URL)
  addBodies(http, env)
  await http.register(cookie)
  await http.register(multipart)
  http.addHook('onResponse', async (request, reply) => {
    const about = { requestId: request.id, method: request.method, route: request.routeOptions.url }
    log.info({ ...about, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })
  http.setErrorHandler(answer)
  closeIdleConnections(http)
  return { http, io: createSockets(platform, http) }
}

const noSchemas = () => {
  throw new Error('a route has a schema of Fastify')
}

function createSockets({ env, version }: Platform, http: FastifyInstance): SocketServer {
  const hostOf = ({ headers }: IncomingMessage): string =>
    (env.TRUST_PROXY && headers['x-forwarded-host']?.toString().split(',').at(-1)?.trim()) || (headers.host ?? '')
  const io = new SocketServer(http.server, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    connectTimeout: 30_000,
    // Browsers send renewals and receipts only; the limit applies without login too.
    maxHttpBufferSize: 64 * 1024,
    perMessageDeflate: false,
    cleanupEmptyChildNamespaces: true,
    allowRequest: (request, decide) => decide(null, isFromOurPage(request.headers, hostOf(request), env.PUBLIC_URL)),
  })
  guardConnections(io)
  io.engine.on('headers', (headers: Record<string, string>) => Object.assign(headers, securityHeaders(version)))
  return io
}
