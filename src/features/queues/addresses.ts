import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['queues', 'users', 'settings']

/** API routes of `queues`. */
export const queues = addresses('queues', {
  list: { method: 'GET', path: '/queue', can: 'queues:read' },
  get: { method: 'GET', path: '/queue/:id', can: 'queues:read' },
  create: { method: 'POST', path: '/queue', can: 'queues:write', touches },
  update: { method: 'PUT', path: '/queue/:id', can: 'queues:write', touches },
  remove: { method: 'DELETE', path: '/queue/:id', can: 'queues:write', touches },
  replace: { method: 'POST', path: '/queue/:id/replace', can: 'queues:write', touches },
})

/** Event names of `queueEvents`. */
export const queueEvents = {
  changed: { channel: 'queues', type: 'queues:changed', durable: true },
} as const satisfies EventAddresses
