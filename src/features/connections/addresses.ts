import { addresses, type EventAddresses } from '#kit/addresses.ts'

/** The addresses of `connections`. */
export const connections = addresses('connections', {
  list: { method: 'GET', path: '/whatsapp', can: 'connections:read' },
  get: { method: 'GET', path: '/whatsapp/:id', can: 'connections:write' },
  create: { method: 'POST', path: '/whatsapp', can: 'connections:write', touches: ['connections'] },
  update: { method: 'PUT', path: '/whatsapp/:id', can: 'connections:write', touches: ['connections'] },
  remove: { method: 'DELETE', path: '/whatsapp/:id', can: 'connections:write', touches: ['connections'] },
  start: { method: 'POST', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  end: { method: 'DELETE', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  renew: { method: 'PUT', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  reset: { method: 'POST', path: '/whatsapp/:id/reset-baileys', can: 'connections:write', touches: ['connections'] },
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

/** The addresses of `proxies`. */
export const proxies = addresses('proxies', {
  list: { method: 'GET', path: '/proxy', can: 'connections:write' },
  stats: { method: 'GET', path: '/proxy-stats', can: 'connections:write' },
  get: { method: 'GET', path: '/proxy/:id', can: 'connections:write' },
  create: { method: 'POST', path: '/proxy', can: 'connections:write', touches: ['proxies'] },
  update: { method: 'PUT', path: '/proxy/:id', can: 'connections:write', touches: ['proxies'] },
  remove: { method: 'DELETE', path: '/proxy/:id', can: 'connections:write', touches: ['proxies'] },
  test: { method: 'POST', path: '/proxy-test', can: 'connections:write', touches: ['proxies'] },
})

/** The names of `connectionEvents`. */
export const connectionEvents = {
  changed: { channel: 'whatsapp', type: 'whatsapp:update', durable: true },
  removed: { channel: 'whatsapp', type: 'whatsapp:delete', durable: true },
  // Not kept: the card says it as well.
  outage: { channel: 'whatsapp', type: 'whatsapp:outage', durable: false },
  // Not kept: a code that somebody missed has expired.
  code: { channel: 'whatsappSession', type: 'whatsappSession:update', durable: false },
} as const satisfies EventAddresses
