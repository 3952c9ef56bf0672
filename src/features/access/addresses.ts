import { addresses } from '#kit/addresses.ts'

/** API routes of `access`. */
export const access = addresses('access', {
  get: { method: 'GET', path: '/users/:id/access', can: 'users:write' },
  ticket: { method: 'GET', path: '/users/:id/access/tickets/:ticketId', can: 'users:write' },
})
