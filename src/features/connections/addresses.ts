import { addresses } from '#kit/addresses.ts'

/** The addresses of `connections`. */
export const connections = addresses('connections', {
  list: { method: 'GET', path: '/whatsapp', can: 'connections:read' },
  get: { method: 'GET', path: '/whatsapp/:id', can: 'connections:write' },
  create: { method: 'POST', path: '/whatsapp', can: 'connections:write', touches: ['connections'] },
  update: { method: 'PUT', path: '/whatsapp/:id', can: 'connections:write', touches: ['connections'] },
  start: { method: 'POST', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
  end: { method: 'DELETE', path: '/whatsappsession/:id', can: 'connections:write', touches: ['connections'] },
})
