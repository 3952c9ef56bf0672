import { addresses } from '#kit/addresses.ts'

/** The addresses of `flowStats`. */
export const flowStats = addresses('flowStats', {
  get: { method: 'GET', path: '/chat-flow/:id/stats', can: 'flows:write' },
  conversations: { method: 'GET', path: '/chat-flow/:id/stats/conversations', can: 'flows:write' },
})
