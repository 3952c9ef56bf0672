import { addresses } from '#kit/addresses.ts'

/** API routes of `push`. */
export const push = addresses('push', {
  key: { method: 'GET', path: '/push/vapid/:tenantId', can: 'session' },
  get: { method: 'GET', path: '/push/subscribe', can: 'session' },
  subscribe: { method: 'POST', path: '/push/subscribe', can: 'session', touches: ['push'] },
  unsubscribe: { method: 'DELETE', path: '/push/subscribe', can: 'session', touches: ['push'] },
})
