import { addresses } from '#kit/addresses.ts'

/** Addresses of `proxies`. */
export const proxies = addresses('proxies', {
  list: { method: 'GET', path: '/proxy', can: 'connections:write' },
  stats: { method: 'GET', path: '/proxy-stats', can: 'connections:write' },
  get: { method: 'GET', path: '/proxy/:id', can: 'connections:write' },
  create: { method: 'POST', path: '/proxy', can: 'connections:write', touches: ['proxies'] },
  update: { method: 'PUT', path: '/proxy/:id', can: 'connections:write', touches: ['proxies'] },
  remove: { method: 'DELETE', path: '/proxy/:id', can: 'connections:write', touches: ['proxies'] },
  test: { method: 'POST', path: '/proxy-test', can: 'connections:write', touches: ['proxies'] },
})
