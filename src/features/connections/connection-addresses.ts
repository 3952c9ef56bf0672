import { addresses } from '#kit/addresses.ts'

/** Addresses of `connections`, except their list (`addresses.ts`). */
export const connections = addresses('connections', {
  get: { method: 'GET', path: '/whatsapp/:id', can: 'connections:write' },
  create: { method: 'POST', path: '/whatsapp', can: 'connections:write', touches: ['connections'] },
  update: { method: 'PUT', path: '/whatsapp/:id', can: 'connections:write', touches: ['connections'] },
  remove: { method: 'DELETE', path: '/whatsapp/:id', can: 'connections:write', touches: ['connections'] },
  start: { method: 'POST', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  end: { method: 'DELETE', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  renew: { method: 'PUT', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  reset: { method: 'POST', path: '/whatsapp/:id/reset-baileys', can: 'connections:write', touches: ['connections'] },
  test: { method: 'POST', path: '/whatsapp-test', can: 'connections:write' },
  setWebhook: { method: 'POST', path: '/whatsapp/:id/webhook', can: 'connections:write' },
  outages: { method: 'GET', path: '/whatsapp/:id/outages', can: 'connections:list' },
  setDefault: { method: 'POST', path: '/setDefault', can: 'connections:write', touches: ['connections'] },
  closeOpen: { method: 'POST', path: '/closeAllOpen', can: 'connections:write', touches: ['connections', 'tickets'] },
  closePending: {
    method: 'POST',
    path: '/closeAllPending',
    can: 'connections:write',
    touches: ['connections', 'tickets'],
  },
})
