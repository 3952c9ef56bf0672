import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** Routes of `ticketViews`. */
export const ticketViews = addresses('ticketViews', {
  list: { method: 'GET', path: '/ticketViews', can: 'tickets:read' },
  counts: { method: 'GET', path: '/ticketViews/counts', can: 'tickets:read' },
  create: { method: 'POST', path: '/ticketViews', can: 'tickets:read', touches: ['ticketViews'] },
  order: { method: 'PUT', path: '/ticketViews/order', can: 'tickets:read', touches: ['ticketViews'] },
  update: { method: 'PUT', path: '/ticketViews/:id', can: 'tickets:read', touches: ['ticketViews'] },
  remove: { method: 'DELETE', path: '/ticketViews/:id', can: 'tickets:read', touches: ['ticketViews'] },
  restore: { method: 'POST', path: '/ticketViews/:id/restore', can: 'tickets:read', touches: ['ticketViews'] },
})

/** Channels and types of `ticketViewEvents`. */
export const ticketViewEvents = {
  changed: { channel: 'ticketList', type: 'view:changed', durable: true },
} as const satisfies EventAddresses
