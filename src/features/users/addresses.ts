import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['users', 'userTenants', 'queues', 'teams']

/** API routes of `users`. */
export const users = addresses('users', {
  list: { method: 'GET', path: '/users', can: 'users:read' },
  get: { method: 'GET', path: '/users/:id', can: 'session' },
  create: { method: 'POST', path: '/users', can: 'users:write', touches },
  update: { method: 'PUT', path: '/users/:id', can: 'users:write', touches },
  remove: { method: 'DELETE', path: '/users/:id', can: 'users:write', touches },
  // Not a POST: POST responses are stored for a day for repeats, and this one may contain a link as valuable as a password.
  invite: { method: 'PUT', path: '/users/:id/invite', can: 'users:write' },
  endSessions: { method: 'DELETE', path: '/users/:id/sessions', can: 'users:write', touches: ['users'] },
  setOnline: { method: 'PUT', path: '/usersIsOnline/:id', can: 'session', touches: ['users'] },
  setAway: { method: 'PUT', path: '/users/:id/away', can: 'session', touches: ['users'] },
  setConfigs: { method: 'PUT', path: '/users/:id/configs', can: 'session' },
})

/** Event names of `userEvents`. */
export const userEvents = {
  online: { channel: 'user-online', type: 'user:online', durable: true },
  changed: { channel: 'users', type: 'user:changed', durable: true },
} as const satisfies EventAddresses

/** Event names of `supportEvents`. */
export const supportEvents = {
  changed: { channel: 'support', type: 'support:changed', durable: true },
} as const satisfies EventAddresses
