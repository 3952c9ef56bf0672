import { addresses } from '#kit/addresses.ts'

/** Routes of `flowReplays`. */
export const flowReplays = addresses('flowReplays', {
  create: { method: 'POST', path: '/chat-flow/:id/replay', can: 'flows:write', touches: ['flowReplays'] },
  latest: { method: 'GET', path: '/chat-flow/:id/replay', can: 'flows:write' },
  pairs: { method: 'GET', path: '/chat-flow/:id/replay/:replayId', can: 'flows:write' },
})

/** Routes of `flowStats`. */
export const flowStats = addresses('flowStats', {
  get: { method: 'GET', path: '/chat-flow/:id/stats', can: 'flows:write' },
  conversations: { method: 'GET', path: '/chat-flow/:id/stats/conversations', can: 'flows:write' },
})
