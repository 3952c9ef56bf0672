import { addresses, type EventAddresses } from '#kit/addresses.ts'

const touches = ['slaPolicies']

/** API routes of `slaPolicies`. */
export const slaPolicies = addresses('slaPolicies', {
  list: { method: 'GET', path: '/sla', can: 'sla:read' },
  get: { method: 'GET', path: '/sla/:id', can: 'sla:read' },
  create: { method: 'POST', path: '/sla', can: 'sla:write', touches },
  update: { method: 'PUT', path: '/sla/:id', can: 'sla:write', touches },
  remove: { method: 'DELETE', path: '/sla/:id', can: 'sla:write', touches },
  arrange: { method: 'PUT', path: '/sla/order', can: 'sla:write', touches },
})

/** Event names of `slaEvents`. */
export const slaEvents = {
  changed: { channel: 'sla', type: 'sla:changed', durable: true },
} as const satisfies EventAddresses
