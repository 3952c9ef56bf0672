import type { FastifyInstance } from 'fastify'
import type { Server as SocketServer } from 'socket.io'

/** HTTP and socket servers on the one port. */
export type Parts = { readonly http: FastifyInstance; readonly io: SocketServer }
