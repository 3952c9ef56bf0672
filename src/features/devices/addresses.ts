import { addresses } from '#kit/addresses.ts'

/** API routes of `devices`. */
export const devices = addresses('devices', {
  list: { method: 'GET', path: '/sessions', can: 'session' },
  revoke: { method: 'DELETE', path: '/sessions/:id', can: 'session', touches: ['devices'] },
  revokeOthers: { method: 'POST', path: '/sessions/revoke-others', can: 'session', touches: ['devices'] },
  revokeAll: { method: 'POST', path: '/sessions/revoke-all', can: 'session' },
})
