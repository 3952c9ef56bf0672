import { addresses } from '#kit/addresses.ts'

/** API routes of `plans`. */
export const plans = addresses('plans', {
  offered: { method: 'GET', path: '/plan', can: 'public' },
  list: { method: 'GET', path: '/planAll', can: 'platform:read' },
  get: { method: 'GET', path: '/plan/:id', can: 'platform:read' },
  create: { method: 'POST', path: '/plan', can: 'platform:write', touches: ['plans'] },
  update: { method: 'PUT', path: '/plan/:id', can: 'platform:write', touches: ['plans'] },
  remove: { method: 'DELETE', path: '/plan/:id', can: 'platform:write', touches: ['plans'] },
  open: { method: 'PUT', path: '/signupSettings', can: 'platform:write', touches: ['plans'] },
})

/** API routes of `signup`. */
export const signup = addresses('signup', {
  create: { method: 'POST', path: '/asaas/client', can: 'public' },
})
