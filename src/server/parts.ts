import type { FastifyInstance } from 'fastify'
import type { Server as SocketServer } from 'socket.io'

/** The two servers on the one port. */
export type Parts = { readonly http: FastifyInstance; readonly io: SocketServer }
