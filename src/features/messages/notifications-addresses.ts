import { addresses } from '#kit/addresses.ts'

/** Routes of `notifications`. */
export const notifications = addresses('notifications', {
  list: { method: 'GET', path: '/notifications', can: 'tickets:read' },
  unread: { method: 'GET', path: '/notifications/unread', can: 'tickets:read' },
  read: { method: 'PUT', path: '/notifications/read', can: 'tickets:read', touches: ['notifications'] },
  mentions: { method: 'GET', path: '/notifications/mentions', can: 'tickets:read' },
  seeMention: { method: 'PUT', path: '/notifications/mentions/:id/seen', can: 'tickets:read', touches: [] },
})
