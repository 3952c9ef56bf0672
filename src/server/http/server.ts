import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance } from 'fastify'
import { Server as SocketServer } from 'socket.io'
import type { ErrorCode } from '#kit/errors.ts'
import type { Parts } from '../parts.ts'
import type { Platform } from '../platform.ts'
import { answerError } from './answer-error.ts'
import { addSecurityHeaders } from './security.ts'

/** Makes the HTTP server and the realtime server on one port, without routes. */
export async function createHttp(platform: Platform, constraints: Readonly<Record<string, ErrorCode>>): Promise<Parts> {
  const { env, log } = platform
  const http: FastifyInstance = fastify({
    logger: false,
    trustProxy: env.TRUST_PROXY,
    bodyLimit: 2 * 1024 * 1024,
    genReqId: () => randomUUID(),
    requestTimeout: 320_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, maxParamLength: 300 },
  })
  addSecurityHeaders(http, platform.version)
  await http.register(cookie)
  await http.register(multipart)
  http.addHook('onResponse', async (request, reply) => {
    log.info({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
  http.setErrorHandler((error, request, reply) => answerError(error, request, reply, constraints, log))
  const io = new SocketServer(http.server, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    connectTimeout: 30_000,
    maxHttpBufferSize: 256 * 1024,
    perMessageDeflate: false,
    cleanupEmptyChildNamespaces: true,
  })
  return { http, io }
}
