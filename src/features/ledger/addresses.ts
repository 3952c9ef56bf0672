import { addresses } from '#kit/addresses.ts'

/** Addresses of `tickets`. */
export const tickets = addresses('tickets', {
  list: { method: 'GET', path: '/tickets', can: 'tickets:read' },
  get: { method: 'GET', path: '/tickets/:id', can: 'tickets:read' },
  logs: { method: 'GET', path: '/tickets/:id/logs', can: 'tickets:read' },
  explain: { method: 'GET', path: '/tickets/:id/visibility', can: 'tickets:read' },
  create: { method: 'POST', path: '/tickets', can: 'tickets:start', touches: ['tickets'] },
  reach: { method: 'GET', path: '/ticketsReach', can: 'tickets:start' },
  begin: { method: 'POST', path: '/ticketsBegin', can: 'tickets:start', touches: ['tickets'] },
  update: { method: 'PUT', path: '/tickets/:id', can: 'tickets:write', touches: ['tickets'] },
  read: { method: 'PUT', path: '/tickets/:id/read', can: 'tickets:read', touches: [] },
  force: { method: 'PUT', path: '/ticketsForce/:id', can: 'tickets:write', touches: ['tickets'] },
  nullify: { method: 'PUT', path: '/ticketsNull/:id', can: 'tickets:write', touches: ['tickets'] },
  check: { method: 'GET', path: '/ticketscheck/:a/:b', can: 'tickets:read' },
  draft: { method: 'PUT', path: '/tickets/:id/draft', can: 'tickets:write' },
  getDraft: { method: 'GET', path: '/tickets/:id/draft', can: 'tickets:read' },
  answer: { method: 'GET', path: '/tickets/:id/answer', can: 'tickets:write' },
  viewers: { method: 'GET', path: '/tickets/:id/viewers', can: 'tickets:all' },
  hidden: { method: 'GET', path: '/ticketsHidden', can: 'tickets:all' },
  follow: { method: 'POST', path: '/tickets/:id/follow', can: 'tickets:read', touches: [] },
  unfollow: { method: 'DELETE', path: '/tickets/:id/follow', can: 'tickets:read', touches: [] },
  ofContact: { method: 'GET', path: '/ticketsContact/:contactId', can: 'tickets:read' },
})
