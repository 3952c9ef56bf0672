import { numberOrNull } from '#domain/keys.ts'
import type { Feature } from '#server/feature.ts'
import { sessionOf } from '#server/realtime/sockets.ts'
import { lookerOf, readJob } from './presence/presence.ts'
import { showFormatted } from './read/formatted.ts'

/** Messages feature: sends and reads messages of tickets, and publishes who is typing or viewing. */
export const messagesFeature: Feature = {
  name: 'messages',
  jobs: [readJob],
  attach(platform, { io, http }) {
    showFormatted(platform, http)
    // Presence of viewers on a ticket: reported by the browser, not stored.
    io.on('connection', (socket) => {
      const { tenantId, userId } = sessionOf(socket)
      const lookAt = lookerOf(platform, { tenantId, userId })
      socket.on(`${tenantId}:joinChatBox`, (ticketId: unknown) => lookAt(numberOrNull(ticketId)))
      socket.on('disconnect', () => lookAt(null))
    })
  },
}
