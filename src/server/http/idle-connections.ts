import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends idle connections when the server closes. Browsers open some ahead of need, and Node would wait for the first request
 * of each. Requests under way are answered, and Socket.IO ends its own sockets.
 */
export function closeIdleConnections(http: FastifyInstance): void {
  const server: Server = http.server
  const quiet = new Set<Socket>()
  let isClosing = false
  const rest = (socket: Socket) => {
    if (isClosing) socket.destroySoon()
    else if (!socket.destroyed) quiet.add(socket)
  }
  server.on('connection', (socket) => {
    socket.once('close', () => quiet.delete(socket))
    rest(socket)
  })
  server.on('request', ({ socket }, response) => {
    quiet.delete(socket)
    response.once('close', () => rest(socket))
  })
  server.on('upgrade', ({ socket }) => quiet.delete(socket))
  http.addHook('preClose', async () => {
    isClosing = true
    for (const socket of quiet) socket.destroySoon()
  })
}
